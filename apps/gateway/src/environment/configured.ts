import { existsSync } from 'node:fs'
import { mkdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { type DatabaseClock, openDatabaseClock } from '@sluice/coordination/database-clock'
import { chargeRecords } from '@sluice/ledger/commit/charge-records'
import { type GroupCommitOptions, openLedger } from '@sluice/ledger/commit/group-commit'
import { openPostgresEngine } from '@sluice/ledger/engines/postgres'
import { openSqliteEngine, SQLITE_LEDGER_PROGRAM } from '@sluice/ledger/engines/sqlite-remote'
import type { Ledger } from '@sluice/ledger/ledger'
import type { Settlement } from '@sluice/ledger/operation'
import { systemTimers } from '@sluice/ledger/timers'
import type { Mq } from '@sluice/ledger/units'
import { readDatabaseTime } from '@sluice/store/clocks'
import { type Database, type DatabaseTarget, openDatabase } from '@sluice/store/database'
import { databaseTarget } from '@sluice/store/database-target'
import { createMasterKeyFile, parseMasterKeys, readMasterKeyFile } from '@sluice/store/master-key'
import { findPending, migrate } from '@sluice/store/migrate'
import type { Migration } from '@sluice/store/migration'
import { missingKeys } from '@sluice/store/reseal'
import { readVersions } from '@sluice/store/snapshots/versions'
import { lockDatabase } from '@sluice/store/sqlite/lock-database'
import { readRecordLog, removeRecordLog } from '@sluice/store/sqlite/record-log'
import { finishReplacement, replacingFile } from '@sluice/store/sqlite/replace-database'
import { createVault, type Vault } from '@sluice/store/vault'
import { problemOfMove } from '../move/moved-database.ts'
import { processInWords } from '../process/identity.ts'
import type { Log } from '../process/logger.ts'
import type { Config } from './environment.ts'

export class StartProblem extends Error {
  override readonly name = 'StartProblem'
}

type Tell = (sentence: string) => void

/**
 * The database of the configuration, at the newest step. A SQLite file belongs only to the caller until it is closed: no second
 * gateway starts on it, and it is not migrated under a running one. `onApplied` is called for each pending step.
 */
export async function openMigrated(
  config: Config,
  tell: Tell,
  onApplied?: (step: Migration) => void,
): Promise<Database> {
  await using opening = new AsyncDisposableStack()
  const target = targetOf(config)
  if ('sqliteFile' in target) {
    await mkdir(config.dataDir, { recursive: true, mode: 0o700 })
    const lock = await lockAlone(target.sqliteFile, config, tell)
    opening.defer(() => lock.release())
    await finishRestore(target.sqliteFile, tell)
    await refuseEmptied(target.sqliteFile, config)
  }
  const database = await openDatabase(target)
  opening.defer(() => database.close())
  const result = await migrate(database, undefined, onApplied)
  if (result.outcome === 'refused') throw new StartProblem(`The database ${result.problem}`)
  await refuseMoved(database)
  const opened = opening.move()
  return { ...database, close: () => opened.disposeAsync() }
}

/** Two gateways on two copies of the same data would make charges that the other does not know. */
async function refuseMoved(database: Database): Promise<void> {
  const problem = await problemOfMove(database)
  if (problem !== undefined) throw new StartProblem(problem)
}

/** Opens the database for commands that can run beside a gateway. It must exist and be at the newest step. */
export async function openExisting(config: Config): Promise<Database> {
  const target = targetOf(config)
  if ('sqliteFile' in target && !existsSync(target.sqliteFile)) {
    throw new StartProblem(`There is no database at ${target.sqliteFile}.`)
  }
  if ('sqliteFile' in target && existsSync(replacingFile(target.sqliteFile))) {
    throw new StartProblem(
      `A restore of ${target.sqliteFile} was interrupted. Start the gateway to finish it, or restore again.`,
    )
  }
  await using opening = new AsyncDisposableStack()
  const database = await openDatabase(target)
  opening.defer(() => database.close())
  const { pending, problem } = await findPending(database)
  if (problem !== undefined) throw new StartProblem(`The database ${problem}`)
  if (pending.length > 0) {
    throw new StartProblem(
      'The database schema is older than this version. Start the gateway or run "sluice migrate" first.',
    )
  }
  opening.move()
  return database
}

/**
 * Locks the configured SQLite file, which need not exist, for a restore. `wait` finishes an interrupted restore, and rejects if a
 * gateway is still using the file after waiting as long as a start does; `look` changes nothing and returns no `release` while a
 * gateway is using it.
 */
export async function lockTarget(
  config: Config,
  how: 'look' | 'wait',
  tell: Tell,
): Promise<{ readonly file: string; readonly release: (() => Promise<void>) | undefined }> {
  const target = targetOf(config)
  if (!('sqliteFile' in target)) throw new Error('only a SQLite file is replaced as a whole')
  const file = target.sqliteFile
  try {
    const lock = await lockAlone(file, how === 'look' ? { ...config, takeoverTimeoutMs: 0 } : config, tell)
    if (how === 'wait') await finishRestore(file, tell)
    return { file, release: () => lock.release() }
  } catch (error) {
    if (how === 'look' && error instanceof StartProblem) return { file, release: undefined }
    throw error
  }
}

/** A restore whose process died has either not begun to move files, or is finished here. */
async function finishRestore(file: string, tell: Tell): Promise<void> {
  const finished = await finishReplacement(file)
  if (finished === undefined) return
  const { kept, gone } = finished
  if (gone !== undefined) {
    throw new StartProblem(
      `A restore of ${file} was interrupted, and ${gone}, which it was putting in place, is gone: rename the files that begin with ${kept} back, or remove ${replacingFile(file)} and restore again.`,
    )
  }
  tell(`An interrupted restore of ${file} was finished; the previous database is kept as ${kept}.`)
}

export function targetOf(config: Config): DatabaseTarget {
  const target = databaseTarget(config.databaseUrl, config.dataDir)
  if ('problem' in target) throw new StartProblem(target.problem)
  return target
}

/** Locks a SQLite file only for this process, waiting up to `takeoverTimeoutMs` for another process to stop. */
async function lockAlone(file: string, { takeoverTimeoutMs }: Config, tell: Tell) {
  const taken = await lockDatabase({
    file,
    holder: processInWords(new Date()),
    waitMs: takeoverTimeoutMs,
    onWait: ({ holder = 'another process' }) =>
      tell(`${holder} is using ${file}; waiting up to ${takeoverTimeoutMs / 1_000} s for it to stop.`),
    pause: delay,
  })
  if ('release' in taken) return taken
  const holder = taken.holder ?? 'another process'
  throw new StartProblem(
    `Sluice is already running on this data: ${holder} is using ${file}. Stop it first. Only one gateway can use a SQLite file; to run several, use PostgreSQL.`,
  )
}

/** An empty file in place of a database would become a new installation, with a well-known password. */
async function refuseEmptied(file: string, config: Config): Promise<void> {
  const hasKey = config.masterKey !== '' || existsSync(keyFileOf(config))
  if (!hasKey || !existsSync(file) || (await stat(file)).size > 0) return
  throw new StartProblem(
    `${file} is empty, although there is a master key: restore the database from a backup, or remove the empty file to start from scratch.`,
  )
}

const keyFileOf = ({ dataDir }: Config): string => join(dataDir, 'master.key')

/** Rejects when no key decrypts some secrets and their key is not declared lost. Creates a key file only if nothing was sealed. */
export async function openConfiguredVault(config: Config, database: Database): Promise<Vault> {
  const given = await readKeys(config)
  const missing = await missingKeys(database.kysely, [...(given?.keyIds ?? []), ...config.lostKeys])
  if (missing.length > 0) {
    const where = keysFrom(config)
    throw new StartProblem(
      `The database contains secrets encrypted with master key ${missing.join(', ')}, which ${where} does not contain. Add that key again (after a newer one, if there is one) or, if it is lost for good, start with SLUICE_LOST_KEYS=${missing.join(',')}.`,
    )
  }
  return given ?? vaultOf(await createMasterKeyFile(keyFileOf(config)))
}

/** Opens the configured vault for commands that may find secrets that it cannot decrypt. */
export async function openGivenVault(config: Config): Promise<Vault> {
  const vault = await readKeys(config)
  if (vault === undefined) throw new StartProblem(`There is no master key at ${keyFileOf(config)}.`)
  return vault
}

/** Reads the configured vault, undefined without a key, and describes where the key was looked for. Creates nothing. */
export async function readGivenVault(
  config: Config,
): Promise<{ readonly vault: Vault | undefined; readonly from: string }> {
  return { vault: await readKeys(config), from: keysFrom(config) }
}

const keysFrom = (config: Config): string => (config.masterKey === '' ? keyFileOf(config) : 'SLUICE_MASTER_KEY')

async function readKeys(config: Config): Promise<Vault | undefined> {
  const keys = config.masterKey === '' ? await readMasterKeyFile(keyFileOf(config)) : parseMasterKeys(config.masterKey)
  return keys === undefined ? undefined : vaultOf(keys)
}

function vaultOf(keys: ReturnType<typeof parseMasterKeys>): Vault {
  if ('problem' in keys) throw new StartProblem(`Master key: ${keys.problem}.`)
  return createVault(keys)
}

/** The clock of the database server, which all replicas share, or for a SQLite file the clock of this machine. */
export async function openConfiguredClock(database: Database, log: Log): Promise<DatabaseClock> {
  if (database.engine === 'sqlite') return { now: Date.now, close: () => {} }
  return await openDatabaseClock({
    read: () => readDatabaseTime(database),
    own: Date.now,
    steady: () => performance.now(),
    every: (ms, run) => systemTimers.every(ms, run),
    onDiffers: (aheadMs) =>
      log.warn(
        { aheadMs },
        'the clocks of this machine and the database differ; the database’s is used (0: they agree again)',
      ),
    onError: (error) => log.error({ error }, 'the clock of the database could not be read'),
  })
}

interface LedgerOwner {
  readonly replica: string
  readonly now: () => number
  readonly remindBelow: () => Mq
  readonly log: Log
  readonly onDead: () => void
  readonly onCharged: (settlement: Settlement) => void
  /** Called, in addition to the log, for every charge that somebody needs to look at. */
  readonly onUncharged?: () => void
}

/** Opens the ledger on the database; only this ledger can write its balances. Rejects when the data is moving elsewhere. */
export async function openConfiguredLedger(config: Config, database: Database, owner: LedgerOwner): Promise<Ledger> {
  const ledger = await openHaltedLedger(config, database, owner)
  try {
    // Checked again, because a move that began meanwhile might have looked for replicas before this one was registered.
    if (database.engine === 'postgres') await refuseMoved(database)
    return ledger
  } catch (error) {
    await ledger.close()
    throw error
  }
}

/** As `openConfiguredLedger`, for a move, which keeps all other processes away: settles what ended processes left unsettled. */
export async function openHaltedLedger(config: Config, database: Database, owner: LedgerOwner): Promise<Ledger> {
  const { replica, now, remindBelow, log, onDead, onCharged } = owner
  const onUncharged = (problem: string): void => {
    log.error({ problem }, 'a charge needs attention')
    owner.onUncharged?.()
  }
  // A process that cannot open the ledger reports the reason and ends; an open thread or connection would keep it running.
  await using opening = new AsyncDisposableStack()
  const ledger = await openLedger({
    ...(await openEngine(database, { replica, onUncharged, opening })),
    replica,
    now,
    remindBelow,
    onCharged,
    maxBacklog: config.ledgerQueue,
    drainMs: config.drainTimeoutMs,
    onDead: () => {
      log.error({}, 'other replicas consider this process dead; it stops')
      onDead()
    },
    onFailure: (error) => log.error({ error }, 'the ledger could not reach its database and will try again'),
  })
  // From here on the ledger owns them.
  opening.move()
  return ledger
}

/** No other process writes to a SQLite file. Charges that an earlier version left in a record log come first. */
async function openEngine(
  database: Database,
  {
    replica,
    onUncharged,
    opening,
  }: {
    readonly replica: string
    readonly onUncharged: (problem: string) => void
    /** Receives what must be closed if the ledger cannot be opened. */
    readonly opening: AsyncDisposableStack
  },
): Promise<Pick<GroupCommitOptions, 'engine' | 'alone'>> {
  if (database.engine === 'postgres') {
    const client = database.openClient()
    opening.defer(() => client.close())
    return { engine: openPostgresEngine(client), alone: false }
  }
  const engine = openSqliteEngine(await database.openProgram(SQLITE_LEDGER_PROGRAM))
  opening.defer(() => engine.close())
  const left = await readRecordLog(database)
  if (left !== undefined) {
    await chargeRecords(left, engine, replica, onUncharged)
    await removeRecordLog(database, left)
  }
  return { engine, alone: true }
}

/** Empty when the database can be read, otherwise the reason. Never rejects. */
export async function databaseProblem(database: Database): Promise<string> {
  try {
    await readVersions(database.kysely)
    return ''
  } catch {
    return 'the database cannot be read'
  }
}
