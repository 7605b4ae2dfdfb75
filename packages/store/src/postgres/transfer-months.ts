import { type Kysely, sql, type Transaction } from 'kysely'
import type { Schema } from '../schema/schema.ts'

/** One month of `transfer`: the ids from `from` up to, not including, `to`. */
export interface TransferMonth {
  readonly table: string
  readonly from: string
  readonly to: string
}

/** How many months ahead partitions are added. Rows of a month without a partition go to `transfer_other`. */
const MONTHS_AHEAD = 2
/** Adding a partition waits for every reader of `transfer_other`, and new readers and writers of it then wait as well. */
const LOCK_MS = 1_000

/** The month of `now` (unix ms) and those ahead, by UTC. */
export function monthsAhead(now: number): readonly TransferMonth[] {
  return Array.from({ length: MONTHS_AHEAD + 1 }, (_, i) => monthOf(now, i))
}

/** The month that is `after` months after that of `ms` (unix ms). */
function monthOf(ms: number, after: number): TransferMonth {
  const day = new Date(ms)
  const month = day.getUTCMonth() + after
  const start = new Date(Date.UTC(day.getUTCFullYear(), month))
  return {
    table: `transfer_${start.toISOString().slice(0, 7).replace('-', '_')}`,
    from: firstId(start.getTime()),
    to: firstId(Date.UTC(day.getUTCFullYear(), month + 1)),
  }
}

const YEAR_2020_MS = Date.UTC(2020, 0)

/** The months from 2020 to next month that have transfers, on either engine. Ids of another form belong to no month. */
export async function monthsWithTransfers(kysely: Kysely<Schema>, now: number): Promise<readonly TransferMonth[]> {
  const months: TransferMonth[] = []
  const end = monthOf(now, 1).to
  for (let from = firstId(YEAR_2020_MS); from < end;) {
    const next = await kysely
      .selectFrom('transfer')
      .select('request_id')
      .where('request_id', '>=', from)
      .where('request_id', '<', end)
      .orderBy('request_id')
      .limit(1)
      .executeTakeFirst()
    const time = /^[0-9a-f]{12}/.exec(next?.request_id ?? '')?.[0]
    if (time === undefined) break
    const month = monthOf(Number.parseInt(time, 16), 0)
    months.push(month)
    from = month.to
  }
  return months
}

/**
 * Adds the missing partitions of `transfer` for this month and the next ones (PostgreSQL only), moves rows already written for them
 * out of `transfer_other`, and returns the added tables. Rejects when another session reads `transfer_other` for longer than a
 * second: the next attempt adds them, and until then the rows go to `transfer_other`. Several processes can do this at once.
 */
export async function addTransferMonths(
  kysely: Kysely<Schema>,
  now: number,
  months: readonly TransferMonth[] = monthsAhead(now),
): Promise<readonly string[]> {
  const added: string[] = []
  for (const month of months) {
    if (await exists(kysely, month)) continue
    if (await kysely.transaction().execute((trx) => addMonth(trx, month))) added.push(month.table)
  }
  return added
}

async function addMonth(trx: Transaction<Schema>, month: TransferMonth): Promise<boolean> {
  await sql.raw(`set local lock_timeout = ${LOCK_MS}`).execute(trx)
  // Nothing may get into `transfer_other` between emptying it and adding the new partition. Other processes wait here as well.
  await sql`lock table transfer_other in access exclusive mode`.execute(trx)
  if (await exists(trx, month)) return false
  const table = sql.table(month.table)
  const isOfMonth = sql`request_id >= ${sql.lit(month.from)} and request_id < ${sql.lit(month.to)}`
  await sql`create table ${table} (like transfer including defaults including constraints including indexes)`.execute(
    trx,
  )
  await sql`with moved as (delete from transfer_other where ${isOfMonth} returning *)
    insert into ${table} select * from moved`.execute(trx)
  await sql`alter table transfer attach partition ${table}
    for values from (${sql.lit(month.from)}) to (${sql.lit(month.to)})`.execute(trx)
  return true
}

async function exists(db: Kysely<Schema>, { table }: TransferMonth): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`select to_regclass(${table}) is not null as found`.execute(db)
  return rows[0]?.found === true
}

/** The time digits of a UUIDv7, which sort before every id of that millisecond or later. */
function firstId(ms: number): string {
  return ms.toString(16).padStart(12, '0')
}
