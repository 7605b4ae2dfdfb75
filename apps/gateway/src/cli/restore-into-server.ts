import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { firstFilledTable } from '@sluice/store/copy/copy-tables'
import { type Database, openDatabase } from '@sluice/store/database'
import { findPending, migrate } from '@sluice/store/migrate'
import { readDatabaseMove } from '@sluice/store/queries/moves/database-move'
import { openBackup } from '../backup/bring-backup.ts'
import { bringUpToDate } from '../backup/check-backup.ts'
import { removeWorkingCopy, sweepWorkingCopies, workingCopy } from '../backup/working-copy.ts'
import { StartProblem } from '../environment/configured.ts'
import type { Config } from '../environment/environment.ts'
import { moveData } from '../move/move-data.ts'
import type { MoveReport } from '../move/move-report.ts'
import { bringChecked, type RestoreFlags, say, sayLostKeys } from './bring-checked.ts'
import { databaseName } from './database-name.ts'
import { haltTarget } from './halt-database.ts'
import { proveAll } from './prove-all.ts'

/** A statement over a large table takes time in proportion to its size. */
const TIMEOUT_MS = 6 * 3_600_000
const TELL_EVERY_ROWS = 100_000

/**
 * Copies a backup into a PostgreSQL database that is empty, or partly filled by an earlier run. Checks the backup in a file first
 * and compares every row afterwards; until then, no gateway starts there. Returns the exit code.
 */
export async function restoreIntoServer(
  config: Config,
  target: { readonly url: string },
  from: string,
  flags: RestoreFlags,
): Promise<number> {
  await using opened = new AsyncDisposableStack()
  const server = await openDatabase(target)
  opened.defer(() => server.close())
  const name = databaseName(target)
  const source = await openBackup(config, from, Date.now)
  opened.defer(() => source.close())
  await expectRoomFor(server, name, source.words)

  await mkdir(config.dataDir, { recursive: true, mode: 0o700 })
  const base = join(config.dataDir, 'sluice.db.restoring')
  await sweepWorkingCopies(base)
  const copy = workingCopy(base)
  opened.defer(() => removeWorkingCopy(copy))
  const { contents, pending } = await bringChecked(config, source, copy, flags.withoutKeys)
  if (flags.check === true) {
    say(`It can be restored into ${name}. Nothing was changed.`)
    sayLostKeys(config, contents.keys, flags)
    return 0
  }
  if (pending > 0) await bringUpToDate(copy)
  const report = await copyInto(server, name, { file: copy, words: source.words })
  if ('problem' in report) throw new StartProblem(report.problem)
  for (const problem of report.problems) say(problem)
  if (report.outcome !== 'moved') {
    say(`The restore failed: empty ${name} before you try again.`)
    return 1
  }
  say(`\n${source.words} has been restored into ${name}: all rows are identical, and the ledger there is correct.`)
  sayLostKeys(config, contents.keys, flags)
  return 0
}

/** Checks the target before hours are spent on a backup that cannot be restored there. The copier checks again. */
async function expectRoomFor(server: Database, name: string, from: string): Promise<void> {
  const { pending, problem } = await findPending(server)
  if (problem !== undefined) throw new StartProblem(`The database ${problem}`)
  // The database is of an older version or empty: its migration steps show which.
  if (pending.length > 0) return
  const { from_name: arriving, arrived_ms: arrived } = await readDatabaseMove(server.kysely)
  if (arriving === from && arrived === 0) return
  const filled = await firstFilledTable({ db: server.kysely })
  if (filled === undefined) return
  throw new StartProblem(
    `${name} is not empty: it has rows in ${filled}. A restore never overwrites a PostgreSQL database: set DATABASE_URL to an empty one.`,
  )
}

async function copyInto(
  server: Database,
  name: string,
  from: { readonly file: string; readonly words: string },
): Promise<MoveReport | { readonly problem: string }> {
  await using opened = new AsyncDisposableStack()
  const result = await migrate(server)
  if (result.outcome === 'refused') throw new StartProblem(`The database ${result.problem}`)
  const source = await openDatabase({ sqliteFile: from.file })
  opened.defer(() => source.close())
  const own = await server.openQueries(TIMEOUT_MS)
  opened.defer(() => own.close())
  return await own.kysely.connection().execute((db) =>
    moveData({
      source: { database: source, name: from.words },
      target: { database: server, name },
      rows: { engine: 'postgres', db, inserts: undefined },
      // Only this process uses the copy, which is removed at its end.
      haltSource: async () => ({ holdOffWriters: async () => true, write: async () => {}, release: async () => {} }),
      haltTarget: () => haltTarget(server),
      prove: proveAll,
      now: Date.now,
      tell: say,
      onRows: (table, rows) => {
        if (rows % TELL_EVERY_ROWS === 0) say(`${table} ${rows} rows`)
      },
      onStep: async () => {},
    }),
  )
}
