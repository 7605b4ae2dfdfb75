import { copyFile, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ImportChoices } from '@sluice/contract/import'
import type { LedgerEngine } from '@sluice/ledger/engine'
import { open as openLedgerProgram } from '@sluice/ledger/engines/sqlite-program'
import { openSqliteEngine } from '@sluice/ledger/engines/sqlite-remote'
import type { Ledger } from '@sluice/ledger/ledger'
import { systemTimers } from '@sluice/ledger/timers'
import { mqFromQuota } from '@sluice/ledger/units'
import type { Database, SqliteDatabase } from '@sluice/store/database'
import { insertUser } from '@sluice/store/queries/accounts/users'
import { openSqliteConnection } from '@sluice/store/sqlite/connection'
import { SqliteThreadDialect } from '@sluice/store/sqlite/dialect'
import { open as openStatements } from '@sluice/store/sqlite/statements'
import { createVault, type Vault } from '@sluice/store/vault'
import { Kysely } from 'kysely'
import { createImportRunner, type EndedImport } from '../../../../apps/gateway/src/import/import-runner.ts'
import { createChannelKinds } from '../../../../apps/gateway/src/management/channel-kinds.ts'
import { planNew } from '../../../../apps/gateway/src/management/channels/channel-changes.ts'
import { openTestDatabase, type TestEngine } from '../databases.ts'
import { brokenInvariants, openTestLedgerEngine, readRowsOf } from '../ledger/ledger-engine.ts'
import { openTestLedger } from '../ledger/test-ledger.ts'
import { openManualTimers } from '../manual-timers.ts'
import { SQLITE_IMAGE } from '../sqlite-image.ts'
import { type Blow, type ImportLedger, withBlow } from './import-blow.ts'
import { type InstanceState, instanceState } from './instance-state.ts'

/** An instance that imports other gateways in this process, without a server. */
export interface ImportBench {
  readonly database: Database
  readonly vault: Vault
  readonly ledger: Ledger
  /** Unix milliseconds; does not advance. */
  readonly now: () => number
  bring(source: string, more?: BringOptions): Promise<EndedImport>
  /** Imports in a process that dies at the blow, and then returns undefined; the next import finds its lease expired. */
  bringUntil(blow: Blow, source: string, more?: BringOptions): Promise<EndedImport | undefined>
  /** Every table, without values that differ between runs. */
  state(): Promise<InstanceState>
  copies(): Promise<readonly string[]>
  /** Ledger invariants that do not hold. */
  broken(): Promise<readonly string[]>
  close(): Promise<void>
}

export interface BringOptions extends Partial<Omit<ImportChoices, 'leave_out'>> {
  readonly mode?: 'check' | 'import'
  readonly leaveOut?: boolean
}

interface Handles {
  readonly database: Database
  readonly ledger: ImportLedger
}

const LEASE_OVER_MS = 60_000
/** In place of the initial root password's hash. */
const WELL_KNOWN = 'well known'
const MASTER_KEY = new Uint8Array(32).fill(7)

/** `root` adds the account that every installation has. */
export async function openImportBench(
  engine: TestEngine,
  { root = true }: { readonly root?: boolean } = {},
): Promise<ImportBench> {
  const directory = await mkdtemp(join(tmpdir(), 'sluice-import-'))
  const files = engine === 'sqlite' ? await sqliteFiles(directory) : await openTestDatabase(engine)
  const vault = createVault([MASTER_KEY])
  // One-off timers fire automatically; repeating ones, such as heartbeats, do not.
  const timers = {
    ...openManualTimers(),
    after: (ms: number, run: () => void) => systemTimers.after(ms, run),
    turn: (run: () => void) => systemTimers.turn(run),
  }
  const closing: (() => Promise<void>)[] = []
  const open = async (replica: string): Promise<{ readonly database: Database; readonly ledger: Ledger }> => {
    const { database, engine: ledgerEngine } =
      files.engine === 'sqlite'
        ? inThisThread(files, closing)
        : { database: files, engine: await openTestLedgerEngine(files) }
    const ledger = await openTestLedger({ engine: ledgerEngine, timers, replica })
    closing.push(() => ledger.close())
    return { database, ledger }
  }
  let replicas = 0
  const restart = () => open(`r${(replicas += 1)}`)
  let own = await restart()
  if (root) await addRoot(own)
  const kinds = createChannelKinds(timers.now, () => '')
  const runnerOf = (handles: Handles) =>
    createImportRunner({
      ...handles,
      vault,
      now: timers.now,
      replica: 'test',
      timers,
      directory: join(directory, 'copies'),
      planChannel: (form) => planNew({ kinds, callerKeyOrigins: [], isHostAllowed: () => true }, form),
      isUnsetPassword: async (hash) => hash === WELL_KNOWN,
      prove: async () => {
        const wrong = await brokenInvariants(readRowsOf(handles.database), timers.now())
        return wrong.map(({ id, statement }) => ({ id, statement, ok: false }))
      },
    })
  const bringWith = async (
    handles: Handles,
    source: string,
    { mode = 'import', name = '', ...choices }: BringOptions = {},
  ): Promise<EndedImport> => {
    const begun = await runnerOf(handles).begin({
      source,
      mode,
      name,
      choices: { logs: 'sums', since: 0, debts: 'refuse', prices: 'keep', leaveOut: false, roots: 'one', ...choices },
      startedBy: 0,
    })
    if (begun === 'busy') throw new Error('another import is running')
    return await begun.run(new AbortController().signal)
  }
  return {
    get database() {
      return own.database
    },
    vault,
    get ledger() {
      return own.ledger
    },
    now: timers.now,
    bring: (source, more) => bringWith(own, source, more),
    bringUntil: async (blow, source, more) => {
      // One process at a time, as on a SQLite file.
      const victim = withBlow(await restart(), blow)
      try {
        return await bringWith(victim, source, more)
      } catch (error) {
        if (!victim.isDead()) throw error
        return undefined
      } finally {
        own = await restart()
        if (victim.isDead()) await timers.sleep(LEASE_OVER_MS)
      }
    },
    state: () => instanceState(own.database, vault),
    copies: async () => await readdir(join(directory, 'copies')).catch(() => []),
    broken: async () => (await brokenInvariants(readRowsOf(own.database), timers.now())).map(({ id }) => id),
    close: async () => {
      for (const close of closing.toReversed()) await close()
      await files.close()
      await rm(directory, { recursive: true, force: true })
    },
  }
}

type SqliteFiles = Pick<SqliteDatabase, 'engine' | 'file' | 'openQueries' | 'openProgram' | 'close'>

async function sqliteFiles(directory: string): Promise<SqliteFiles> {
  const image = process.env[SQLITE_IMAGE]
  if (image === undefined) throw new Error('the set-up of the tests has not written a database')
  const file = join(directory, 'sluice.db')
  await copyFile(image, file)
  const refuse = (): Promise<never> => Promise.reject(new Error('an import needs no other connection'))
  return { engine: 'sqlite', file, openQueries: refuse, openProgram: refuse, close: async () => {} }
}

/** A database with its connections in this thread: they open in a hundredth of the time, and are not durable. */
function inThisThread(
  files: SqliteFiles,
  closing: (() => Promise<void>)[],
): { readonly database: Database; readonly engine: LedgerEngine } {
  const [shared, ledgers] = [openSqliteConnection(files.file), openSqliteConnection(files.file)]
  for (const connection of [shared, ledgers]) connection.exec('pragma synchronous = off')
  const call = (program: object) => async (method: string, args: readonly unknown[]) =>
    (program as Record<string, (...given: readonly unknown[]) => unknown>)[method]?.(...args)
  const host = { call: call(openStatements(shared)), generation: 0, close: async () => {}, abandon: () => {} }
  closing.push(async () => {
    shared.close()
    ledgers.close()
  })
  return {
    database: { ...files, kysely: new Kysely({ dialect: new SqliteThreadDialect(host) }) },
    engine: openSqliteEngine({ call: call(openLedgerProgram(ledgers)), close: async () => {} }),
  }
}

/** As in every new installation, but without the time to hash a password. */
async function addRoot({ database, ledger }: { readonly database: Database; readonly ledger: Ledger }): Promise<void> {
  const user = await insertUser(database.kysely, {
    username: 'root',
    passwordHash: WELL_KNOWN,
    displayName: 'Root User',
    role: 100,
    email: '',
    group: 'default',
    createdTime: 17e8,
  })
  if (user === 'name_taken') throw new Error('there is a root already')
  const account = await ledger.openAccount('user', user.id, false)
  if (account === 'unavailable') throw new Error('the ledger does not answer')
  const amount = mqFromQuota(500_000_000_000_000)
  await ledger.move({ requestId: 'root', kind: 'fund', account, mode: 'add', amount, actor: 0, reason: 'root' })
}
