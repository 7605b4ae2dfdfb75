import { type Kysely, sql } from 'kysely'
import { asNumber } from '../../aggregates.ts'
import { CLOCKS_DIFFER_MS } from '../../clocks.ts'
import { type Page, readPage } from '../../paging.ts'
import type { Schema } from '../../schema/schema.ts'

/** The lease under which the ledger is proved. */
export const LEDGER_CHECK_JOB = 'ledger-check'

export type LedgerCheckMode = 'incremental' | 'full' | 'reprice'
export type LedgerCheckEnd = 'sound' | 'wrong' | 'failed' | 'stopped'

/** The bound of the latest checkpoint. `check` is its `check_id`. */
export interface StoredCheckpoint {
  readonly check: number
  readonly bound: string
}

export interface NewLedgerCheck {
  readonly mode: LedgerCheckMode
  readonly startedBy: number
  readonly epoch: number
  /** Unix milliseconds. */
  readonly begun: number
  readonly since: string
}

/** Records the start of a check, and marks earlier unfinished checks as stopped. */
export async function insertLedgerCheck(db: Kysely<Schema>, check: NewLedgerCheck): Promise<number> {
  await db
    .updateTable('ledger_check')
    .set({ outcome: 'stopped', ended_ms: check.begun })
    .where('outcome', '=', 'running')
    .where('epoch', '<', check.epoch)
    .execute()
  const { id } = await db
    .insertInto('ledger_check')
    .values({
      mode: check.mode,
      started_by: check.startedBy,
      epoch: check.epoch,
      begun_ms: check.begun,
      outcome: 'running',
      since_id: check.since,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

export interface CheckedInvariant {
  readonly invariant: string
  readonly place: number
  readonly statement: string
  readonly checked: number
  readonly elapsedMs: number
  readonly recounted: boolean
  /** JSON text. */
  readonly firstWrong: string | null
}

export async function insertCheckResult(db: Kysely<Schema>, check: number, result: CheckedInvariant): Promise<void> {
  await db
    .insertInto('ledger_check_result')
    .values({
      check_id: check,
      invariant: result.invariant,
      place: result.place,
      statement: result.statement,
      checked: result.checked,
      elapsed_ms: result.elapsedMs,
      recounted: result.recounted ? 1 : 0,
      first_wrong: result.firstWrong,
    })
    .execute()
}

/**
 * Ends a check; with a `bound`, its checkpoint counts from now on. False, with nothing written, if the lease has another owner by
 * now: a paused owner's findings are older than the new one's.
 */
export async function endLedgerCheck(
  db: Kysely<Schema>,
  check: number,
  end: { readonly outcome: LedgerCheckEnd; readonly at: number; readonly epoch: number; readonly bound: string },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('ledger_check')
    .set({ outcome: end.outcome, ended_ms: end.at, bound: end.bound })
    .where('id', '=', check)
    .where('outcome', '=', 'running')
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom('lease')
          .select('lease.epoch')
          .where('lease.job', '=', LEDGER_CHECK_JOB)
          .where('lease.epoch', '=', end.epoch),
      ),
    )
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

export async function latestCheckpoint(db: Kysely<Schema>): Promise<StoredCheckpoint | undefined> {
  return await db
    .selectFrom('ledger_check')
    .select(['id as check', 'bound'])
    .where('bound', '<>', '')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/** When checks of a kind last began, in unix milliseconds; 0 never. Stopped ones do not count, running ones do. */
export async function latestChecks(
  db: Kysely<Schema>,
  now: number,
): Promise<{ readonly any: number; readonly full: number }> {
  const row = await db
    .selectFrom('ledger_check')
    .select([
      sql<number | null>`max(begun_ms)`.as('any'),
      sql<number | null>`max(case mode when 'full' then begun_ms else 0 end)`.as('full'),
    ])
    .where('outcome', '<>', 'stopped')
    .where('begun_ms', '<=', now + CLOCKS_DIFFER_MS)
    .executeTakeFirstOrThrow()
  return { any: asNumber(row.any), full: asNumber(row.full) }
}

/** Rows per insert: few enough to let charges run in between. */
const ROWS_AT_ONCE = 500

export interface CheckpointRow {
  readonly account: number
  readonly posted: bigint
  readonly spent: bigint
  readonly requests: number
}

/** Stores a check's sums in short transactions. They count once `endLedgerCheck` names their bound. */
export async function insertCheckpoint(
  db: Kysely<Schema>,
  check: number,
  rows: readonly CheckpointRow[],
): Promise<void> {
  for (let at = 0; at < rows.length; at += ROWS_AT_ONCE) {
    const part = rows.slice(at, at + ROWS_AT_ONCE).map((row) => ({ check_id: check, ...row }))
    await db.insertInto('account_checkpoint').values(part).execute()
  }
}

/** Removes checkpoints that no longer count, and checks beyond the newest `keep`. In short transactions. */
export async function sweepLedgerChecks(db: Kysely<Schema>, keep: number): Promise<void> {
  const current = (await latestCheckpoint(db))?.check ?? 0
  for (;;) {
    const old = await db
      .selectFrom('account_checkpoint')
      .select(['check_id', 'account'])
      .where('check_id', '<>', current)
      .orderBy('check_id')
      .orderBy('account')
      .limit(ROWS_AT_ONCE)
      .execute()
    const [first] = old
    if (first === undefined) break
    const accounts = old.filter((row) => row.check_id === first.check_id).map((row) => row.account)
    await db
      .deleteFrom('account_checkpoint')
      .where('check_id', '=', first.check_id)
      .where('account', 'in', accounts)
      .execute()
  }
  const kept = db.selectFrom('ledger_check').select('id').orderBy('id', 'desc').limit(keep)
  await db.deleteFrom('ledger_check').where('id', 'not in', kept).where('id', '<>', current).execute()
}

export interface LedgerCheckRow {
  readonly id: number
  readonly mode: string
  readonly startedBy: number
  /** Empty for the nightly job, and when the user is gone. */
  readonly startedByName: string
  readonly outcome: string
  readonly begun: number
  readonly ended: number
  readonly since: string
  readonly results: readonly CheckedInvariant[]
}

/** Newest first. A check whose process died reads as `stopped`. `now` is unix milliseconds. */
export async function listLedgerChecks(
  db: Kysely<Schema>,
  page: Page,
  now: number,
): Promise<{ readonly rows: readonly LedgerCheckRow[]; readonly total: number }> {
  const all = db.selectFrom('ledger_check')
  const newestFirst = all
    .leftJoin('user', 'user.id', 'ledger_check.started_by')
    .leftJoin('lease', (join) =>
      join
        .onRef('lease.epoch', '=', 'ledger_check.epoch')
        .on('lease.job', '=', LEDGER_CHECK_JOB)
        .on('lease.until_ms', '>', now)
        .on('lease.until_ms', '<=', now + CLOCKS_DIFFER_MS),
    )
    .select(['ledger_check.id', 'mode', 'started_by', 'user.username', 'outcome', 'begun_ms', 'ended_ms', 'since_id'])
    .select('lease.epoch as held')
    .orderBy('ledger_check.id', 'desc')
  const { rows: checks, total } = await readPage(newestFirst, all, page)
  const results = await resultsOf(
    db,
    checks.map((check) => check.id),
  )
  const rows = checks.map((check) => ({
    id: check.id,
    mode: check.mode,
    startedBy: check.started_by,
    startedByName: check.username ?? '',
    outcome: check.outcome === 'running' && check.held === null ? 'stopped' : check.outcome,
    begun: check.begun_ms,
    ended: check.ended_ms,
    since: check.since_id,
    results: results.get(check.id) ?? [],
  }))
  return { rows, total }
}

async function resultsOf(
  db: Kysely<Schema>,
  checks: readonly number[],
): Promise<ReadonlyMap<number, readonly CheckedInvariant[]>> {
  if (checks.length === 0) return new Map()
  const rows = await db
    .selectFrom('ledger_check_result')
    .selectAll()
    .where('check_id', 'in', checks)
    .orderBy('place')
    .execute()
  const results = Map.groupBy(rows, (row) => row.check_id)
  return new Map(
    [...results].map(([check, found]) => [
      check,
      found.map((row) => ({
        invariant: row.invariant,
        place: row.place,
        statement: row.statement,
        checked: row.checked,
        elapsedMs: row.elapsed_ms,
        recounted: row.recounted === 1,
        firstWrong: row.first_wrong,
      })),
    ]),
  )
}
