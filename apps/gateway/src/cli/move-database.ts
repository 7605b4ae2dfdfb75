import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { openInsertRows } from '@sluice/store/copy/write-rows'
import { type Database, type DatabaseTarget, openDatabase } from '@sluice/store/database'
import { databaseTarget } from '@sluice/store/database-target'
import { migrate } from '@sluice/store/migrate'
import { readDatabaseMove, undoMove } from '@sluice/store/queries/moves/database-move'
import { openExisting, StartProblem } from '../environment/configured.ts'
import type { Config } from '../environment/environment.ts'
import { moveData, type MoveStep } from '../move/move-data.ts'
import type { MoveReport } from '../move/move-report.ts'
import { databaseName } from './database-name.ts'
import { haltSource, haltTarget } from './halt-database.ts'
import { printMoveReport } from './move-report.ts'
import { proveAll } from './prove-all.ts'
import { startSentence } from './start-sentence.ts'

export interface MoveFlags {
  /** Address of the target, or the name of the variable that contains it. */
  readonly to?: string
  readonly toEnv?: string
  readonly undo?: true
  readonly json?: string
}

/** A statement over a large table takes time in proportion to its size. */
const TIMEOUT_MS = 6 * 3_600_000
const TELL_EVERY_ROWS = 100_000

/**
 * Copies the data of the configured database into another one, even while gateways are using it; if none is, moves the data there.
 * Returns the exit code: 0 when the target has everything that the source had. `onStep` is awaited after each step.
 */
export async function moveDatabase(
  config: Config,
  flags: MoveFlags,
  onStep: (step: MoveStep) => Promise<void> = () => Promise.resolve(),
): Promise<number> {
  if (flags.undo) return await goBack(config)
  const { address, option } = addressOf(flags)
  const target = databaseTarget(address, config.dataDir, option)
  if ('problem' in target) throw new StartProblem(`${target.problem}.`)
  await using opened = new AsyncDisposableStack()
  const source = await openExisting(config)
  opened.defer(() => source.close())
  const begun = performance.now()
  const report = await intoTarget(config, { source, target, option, onStep })
  if ('problem' in report) {
    console.error(report.problem)
    return 1
  }
  if (flags.json !== undefined) await writeFile(flags.json, `${JSON.stringify(report, null, 2)}\n`)
  printMoveReport(report, Math.round((performance.now() - begun) / 1_000), (line) => console.log(line))
  return report.outcome === 'unequal' ? 1 : 0
}

function addressOf({ to, toEnv }: MoveFlags): { readonly address: string; readonly option: string } {
  if ((to === undefined) === (toEnv === undefined)) {
    throw new StartProblem('Specify the target with either --to or --to-env.')
  }
  const option = to === undefined ? (toEnv ?? '') : '--to'
  const address = to ?? process.env[option] ?? ''
  if (to === undefined && address === '') throw new StartProblem(`--to-env names ${option}, which is not set.`)
  if (!/^(postgres(ql)?:\/\/|sqlite:)/.test(address)) {
    throw new StartProblem(`${option} must start with postgres:// or sqlite:.`)
  }
  return { address, option }
}

interface Endpoints {
  readonly source: Database
  readonly target: DatabaseTarget
  /** The option or variable with the target's address. */
  readonly option: string
  readonly onStep: (step: MoveStep) => Promise<void>
}

async function intoTarget(
  config: Config,
  { source, target, option, onStep }: Endpoints,
): Promise<MoveReport | { readonly problem: string }> {
  await using opened = new AsyncDisposableStack()
  const database = await openTarget(config, target, option)
  opened.defer(() => database.close())
  const own = await database.openQueries(TIMEOUT_MS)
  opened.defer(() => own.close())
  const inserts = database.engine === 'sqlite' ? await openInsertRows(database) : undefined
  if (inserts !== undefined) opened.defer(() => inserts.close())
  return await own.kysely.connection().execute((db) =>
    moveData({
      source: { database: source, name: databaseName(databaseTargetOf(config)) },
      target: { database, name: databaseName(target) },
      rows: { engine: database.engine, db, inserts },
      haltSource: async () => {
        const halted = await haltSource(config, source)
        const name = databaseName(databaseTargetOf(config))
        if (!('worker' in halted))
          console.log(`No gateway is using ${name}, and none can start until this has finished.`)
        return halted
      },
      haltTarget: () => haltTarget(database),
      prove: proveAll,
      now: Date.now,
      tell: console.log,
      onRows: (table, rows) => {
        if (rows % TELL_EVERY_ROWS === 0) console.log(`${table} ${rows} rows`)
      },
      onStep,
    }),
  )
}

/** Opens the target and migrates it to the newest step. Problems name the option with its address. */
async function openTarget(config: Config, target: DatabaseTarget, option: string): Promise<Database> {
  await using opening = new AsyncDisposableStack()
  try {
    const database = await openDatabase(target)
    opening.defer(() => database.close())
    const result = await migrate(database)
    if (result.outcome === 'refused') throw new StartProblem(`${databaseName(target)} ${result.problem}`)
    opening.move()
    return database
  } catch (error) {
    const sentence = startSentence(error, {
      ...config,
      databaseUrl: 'url' in target ? target.url : `sqlite:${target.sqliteFile}`,
    })
    if (sentence === undefined) throw error
    throw new StartProblem(sentence.replaceAll('DATABASE_URL', option))
  }
}

function databaseTargetOf(config: Config): DatabaseTarget {
  const target = databaseTarget(config.databaseUrl, config.dataDir)
  if ('problem' in target) throw new StartProblem(target.problem)
  return target
}

/** Lets gateways start again on a database whose data has moved away. */
async function goBack(config: Config): Promise<number> {
  const target = databaseTargetOf(config)
  if ('sqliteFile' in target && !existsSync(target.sqliteFile)) {
    throw new StartProblem(`There is no database at ${target.sqliteFile}.`)
  }
  await using opened = new AsyncDisposableStack()
  const database = await openExisting(config)
  opened.defer(() => database.close())
  const { left_ms: left, to_name: name } = await readDatabaseMove(database.kysely)
  if (left === 0) throw new StartProblem('The data of this database has not been moved to another one.')
  await undoMove(database)
  console.log(
    `Gateways can start on ${databaseName(target)} again. It does not contain charges and changes made in ${name} since ${new Date(left).toISOString()}: stop every gateway there first. To move again, specify an empty database.`,
  )
  return 0
}
