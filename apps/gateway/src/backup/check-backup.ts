import { constants, copyFile, rm } from 'node:fs/promises'
import { type Database, openDatabase } from '@sluice/store/database'
import { isDatabaseTrouble } from '@sluice/store/database-trouble'
import { findPending, migrate } from '@sluice/store/migrate'
import { type DatabaseContents, readContents } from '@sluice/store/queries/database-contents'
import { findDamagedSecrets } from '@sluice/store/reseal'
import { openSnapshotReads } from '@sluice/store/snapshot-reads'
import { SqliteError } from '@sluice/store/sqlite/host'
import type { Vault } from '@sluice/store/vault'
import { sql } from 'kysely'
import { StartProblem } from '../environment/configured.ts'
import { optionsOf, proveLedger } from '../jobs/prove-ledger.ts'
import { inDatabase } from './backed-up-data.ts'
import { type Manifest, sumsText } from './manifest.ts'

export interface Expectation {
  readonly manifest: Manifest | undefined
  /** Decrypts secrets; undefined without a master key. */
  readonly vault: Vault | undefined
  /** Source of the vault's keys, in words. */
  readonly keysFrom: string
  /** Ids of master keys that may be missing. */
  readonly lostKeys: readonly string[]
  readonly tell: (line: string) => void
  /** Unix milliseconds. */
  readonly now: () => number
}

export interface CheckedBackup {
  readonly contents: DatabaseContents
  /** Migration steps that the next start will take. */
  readonly pending: number
}

/**
 * Checks a copy of a backup: it is undamaged, made by Sluice and not newer than this program, its secrets can be decrypted, its
 * ledger balances, and its sums are those of the manifest. Opening the copy changes its header. A backup of an older version is
 * migrated to the newest step in a second copy, `scratch`, on which the rest is checked. Rejects with the first `StartProblem`.
 */
export async function checkBackup(copy: string, scratch: string, expected: Expectation): Promise<CheckedBackup> {
  const { manifest, tell } = expected
  const pending = await inDatabase(copy, async (database) => {
    if (manifest === undefined) await expectIntegrity(database)
    return await stepsPending(database)
  })
  const older = `It is older than this version by ${pending} ${pending === 1 ? 'step' : 'steps'}.`
  tell(pending === 0 ? 'Its schema is up to date.' : older)
  if (pending === 0) return { pending, contents: await checkContents(copy, expected) }
  try {
    await rm(scratch, { force: true })
    await copyFile(copy, scratch, constants.COPYFILE_EXCL)
    await bringUpToDate(scratch)
    return { pending, contents: await checkContents(scratch, expected) }
  } finally {
    for (const name of [scratch, `${scratch}-wal`, `${scratch}-shm`]) await rm(name, { force: true })
  }
}

export async function bringUpToDate(file: string): Promise<void> {
  const database = await openDatabase({ sqliteFile: file })
  try {
    await migrate(database)
  } finally {
    await database.close()
  }
}

async function expectIntegrity({ kysely }: Pick<Database, 'kysely'>): Promise<void> {
  const { rows } = await sql<{ integrity_check: string }>`pragma integrity_check(1)`.execute(kysely)
  const finding = rows[0]?.integrity_check ?? 'the check returned nothing'
  if (finding !== 'ok') throw new StartProblem(`The backup is damaged: ${finding}`)
}

async function stepsPending({ kysely }: Pick<Database, 'kysely'>): Promise<number> {
  const tables = new Set((await kysely.introspection.getTables()).map(({ name }) => name))
  if (!tables.has('applied_migration') || !tables.has('account')) {
    throw new StartProblem('It is a SQLite database, but not a Sluice database.')
  }
  const { pending, problem } = await findPending({ kysely })
  if (problem !== undefined) throw new StartProblem(`It ${problem}`)
  return pending.length
}

async function checkContents(file: string, expected: Expectation): Promise<DatabaseContents> {
  const database = await openDatabase({ sqliteFile: file })
  try {
    const contents = await readContents(database.kysely)
    expectKeys(contents.keys, expected)
    await tellDamagedSecrets(database, expected)
    await expectLedger(database, expected)
    expectSums(contents, expected)
    return contents
  } finally {
    await database.close()
  }
}

function expectKeys(keys: readonly string[], { vault, keysFrom, lostKeys, tell }: Expectation): void {
  const missing = keys.filter((key) => !(vault?.keyIds ?? []).includes(key) && !lostKeys.includes(key))
  if (missing.length > 0) {
    throw new StartProblem(
      `It contains secrets encrypted with master key ${missing.join(', ')}, which ${keysFrom} does not contain. Add that key there (after a newer one, if there is one) or, if it is lost for good, add --without-keys ${missing.join(',')}.`,
    )
  }
  const without = keys.filter((key) => lostKeys.includes(key))
  if (without.length > 0)
    tell(`What was encrypted with master key ${without.join(', ')} stays unreadable, as requested.`)
}

/** These secrets were damaged when the backup was made, and the gateway can start with them. */
async function tellDamagedSecrets({ kysely }: Database, { vault, tell }: Expectation): Promise<void> {
  if (vault === undefined) return tell('It contains no encrypted secrets.')
  const damaged = await findDamagedSecrets(kysely, vault)
  for (const { column, count, ids } of damaged) {
    tell(`${count} secrets in ${column} cannot be decrypted although their key is available: ${ids.join(', ')}.`)
  }
  if (damaged.length === 0) tell('Every secret can be decrypted.')
}

async function expectLedger(database: Database, { tell, now }: Expectation): Promise<void> {
  const snapshotReads = await openSnapshotReads(database)
  try {
    for await (const result of proveLedger(snapshotReads, await optionsOf(database.kysely, 'full', now()), now)) {
      if (result.firstWrong === undefined) continue
      const row = Object.entries(result.firstWrong).map(([name, value]) => `${name} = ${String(value)}`)
      throw new StartProblem(`Its ledger is wrong: ${result.id} ${result.statement} (${row.join(', ')}).`)
    }
  } finally {
    await snapshotReads.close()
  }
  tell('Its ledger is correct: every row was counted.')
}

function expectSums({ sums }: DatabaseContents, { manifest, tell }: Expectation): void {
  const found = sumsText(sums)
  tell(
    `It has ${found.users} users, ${found.tokens} tokens, ${found.channels} channels, ${found.charges} charges, and balances of ${found.balance} mq in all.`,
  )
  if (manifest === undefined) return
  const names = ['users', 'tokens', 'channels', 'charges', 'balance'] as const
  const wrong = names.find((name) => found[name] !== manifest.sums[name])
  if (wrong === undefined) return
  throw new StartProblem(`Its manifest says ${wrong}: ${manifest.sums[wrong]}, and it has ${found[wrong]}.`)
}

/** SQLite's message about an unreadable file; undefined for other errors, such as those of the copy's disk. */
export function damageText(error: unknown): string | undefined {
  if (!(error instanceof SqliteError) || error.errcode === undefined || isDatabaseTrouble(error)) return undefined
  return error.message
}
