import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { openPostgresEngine } from '@sluice/ledger/engines/postgres'
import { openSqliteEngine, SQLITE_LEDGER_PROGRAM } from '@sluice/ledger/engines/sqlite-remote'
import { openLedger } from '@sluice/ledger/group-commit'
import type { Ledger } from '@sluice/ledger/ledger'
import type { Settlement } from '@sluice/ledger/operation'
import type { Mq } from '@sluice/ledger/units'
import { type Database, openDatabase } from '@sluice/store/database'
import { databaseTarget } from '@sluice/store/database-target'
import { parseMasterKeys, readMasterKeyFile } from '@sluice/store/master-key'
import { migrate } from '@sluice/store/migrate'
import { readVersions } from '@sluice/store/snapshots/versions'
import { openVault, type Vault } from '@sluice/store/vault'
import type { Config } from './config.ts'
import type { Log } from './logger.ts'
import { otherProcess } from './replica.ts'

/** A start that cannot succeed, in words for the operator. */
export class StartProblem extends Error {
  override readonly name = 'StartProblem'
}

/** The database of the configuration, at the newest step. */
export async function openMigrated(config: Config): Promise<Database> {
  const target = databaseTarget(config.databaseUrl, config.dataDir)
  if ('problem' in target) throw new StartProblem(target.problem)
  if ('sqliteFile' in target) await mkdir(config.dataDir, { recursive: true, mode: 0o700 })
  const database = await openDatabase(target)
  const result = await migrate(database)
  if (result.outcome === 'migrated') return database
  await database.close()
  throw new StartProblem(`The database is newer than this version; it has ${result.unknown.join(', ')}.`)
}

/** The vault of the configuration; creates the key file when there is none. */
export async function openConfiguredVault(config: Config): Promise<Vault> {
  const keys =
    config.masterKey === ''
      ? await readMasterKeyFile(join(config.dataDir, 'master.key'))
      : parseMasterKeys(config.masterKey)
  if ('problem' in keys) throw new StartProblem(`Master key: ${keys.problem}.`)
  return openVault(keys)
}

interface LedgerOwner {
  readonly replica: string
  readonly remindBelow: () => Mq
  readonly log: Log
  readonly onDead: () => void
  readonly onCharged: (settlement: Settlement) => void
}

/** The ledger on that database; the only one that may write its balances. */
export async function openConfiguredLedger(
  config: Config,
  database: Database,
  { replica, remindBelow, log, onDead, onCharged }: LedgerOwner,
): Promise<Ledger> {
  const alone = database.engine === 'sqlite'
  const other = alone ? await otherProcess(database, Date.now()) : undefined
  if (other !== undefined) throw new StartProblem(`Sluice already runs on this data, as process ${other}.`)
  const engine = alone
    ? openSqliteEngine(await database.openProgram(SQLITE_LEDGER_PROGRAM))
    : openPostgresEngine(database.openClient())
  return await openLedger({
    engine,
    alone,
    replica,
    now: Date.now,
    remindBelow,
    onCharged,
    maxBacklog: config.ledgerQueue,
    drainMs: config.drainTimeoutMs,
    onDead: () => {
      log.error({}, 'other replicas have given this process up for dead; it stops')
      onDead()
    },
    onFailure: (error) => log.error({ error }, 'the ledger could not reach its database; it tries again'),
  })
}

/** Empty when the database can be read, else why not. Never rejects. */
export async function databaseProblem(database: Database): Promise<string> {
  try {
    await readVersions(database.kysely)
    return ''
  } catch {
    return 'the database cannot be read'
  }
}
