import { type ExpressionBuilder, type Kysely, type Selectable, sql } from 'kysely'
import { CLOCKS_DIFFER_MS } from '../../clocks.ts'
import { countRows, type Page, readPage } from '../../paging.ts'
import type { TokenTransactionTable } from '../../schema/redemption.ts'
import type { Schema } from '../../schema/schema.ts'
import { TRANSACTION_STATUS } from '../../statuses.ts'
import { isUniqueViolation } from '../../unique-violation.ts'

/** A reservation or charge by another program; see the table for its columns. */
export type TransactionRow = Selectable<TokenTransactionTable>

/** How many rows of other callers' tokens are finished at once. */
const DUE_MAX = 50
/** Twice as long as a reservation may last, in seconds. One that seems to last longer was made while a clock was ahead. */
const LONGEST_SECONDS = (2 * CLOCKS_DIFFER_MS) / 1_000

export type NewTransaction = Pick<
  TransactionRow,
  'token_id' | 'transaction_id' | 'user_id' | 'pre_quota' | 'reason' | 'request_id' | 'expires_time' | 'created_time'
>

/** Undefined when the token already has a transaction with this name. */
export async function openTransaction(
  db: Kysely<Schema>,
  transaction: NewTransaction,
): Promise<TransactionRow | undefined> {
  try {
    return await db
      .insertInto('token_transaction')
      .values({
        ...transaction,
        status: TRANSACTION_STATUS.opening,
        final_quota: null,
        finished_time: 0,
        settled: 0,
        elapsed_ms: 0,
      })
      .returningAll()
      .executeTakeFirstOrThrow()
  } catch (error) {
    if (isUniqueViolation(error)) return undefined
    throw error
  }
}

export async function findTransaction(
  db: Kysely<Schema>,
  tokenId: number,
  transactionId: string,
): Promise<TransactionRow | undefined> {
  return await db
    .selectFrom('token_transaction')
    .selectAll()
    .where('token_id', '=', tokenId)
    .where('transaction_id', '=', transactionId)
    .executeTakeFirst()
}

/** Changes a transaction's status if it is still `from`. Returns the new row; undefined when another call was faster. */
export async function moveTransaction(
  db: Kysely<Schema>,
  id: number,
  from: number,
  change: Partial<Pick<TransactionRow, 'status' | 'final_quota' | 'finished_time' | 'elapsed_ms' | 'reason'>>,
): Promise<TransactionRow | undefined> {
  return await db
    .updateTable('token_transaction')
    .set(change)
    .where('id', '=', id)
    .where('status', '=', from)
    .returningAll()
    .executeTakeFirst()
}

export async function countOpenTransactions(db: Kysely<Schema>, tokenId: number): Promise<number> {
  return await countRows(db.selectFrom('token_transaction').where('token_id', '=', tokenId).where('settled', '=', 0))
}

/** Records that the ledger has done what the status says. */
export async function markSettled(db: Kysely<Schema>, id: number): Promise<void> {
  await db.updateTable('token_transaction').set({ settled: 1 }).where('id', '=', id).execute()
}

/** Removes a transaction that never held any quota. */
export async function dropTransaction(db: Kysely<Schema>, id: number): Promise<void> {
  await db
    .deleteFrom('token_transaction')
    .where('id', '=', id)
    .where('status', '=', TRANSACTION_STATUS.opening)
    .execute()
}

/**
 * Ends expired transactions: confirms pending reservations as reserved, cancels half-opened ones. Returns these, and those that
 * ended earlier without the ledger being told. `now` in unix seconds.
 */
export async function endDueTransactions(db: Kysely<Schema>, now: number): Promise<readonly TransactionRow[]> {
  await dateAnew(db, now)
  const due = await db
    .selectFrom('token_transaction')
    .selectAll()
    .where('settled', '=', 0)
    .where('expires_time', '<=', now)
    .orderBy('expires_time')
    .limit(DUE_MAX)
    .execute()
  const ended: TransactionRow[] = []
  for (const row of due) {
    const change =
      row.status === TRANSACTION_STATUS.pending
        ? { status: TRANSACTION_STATUS.autoConfirmed, final_quota: row.pre_quota, finished_time: now }
        : { status: TRANSACTION_STATUS.cancelled, final_quota: 0, finished_time: now }
    const isOpen = row.status === TRANSACTION_STATUS.pending || row.status === TRANSACTION_STATUS.opening
    const after = isOpen ? await moveTransaction(db, row.id, row.status, change) : row
    if (after !== undefined) ended.push(after)
  }
  return ended
}

/** Restarts the time of transactions opened while a clock was ahead, so that their quota is not held until that future date. */
async function dateAnew(db: Kysely<Schema>, now: number): Promise<void> {
  const isAhead = (eb: ExpressionBuilder<Schema, 'token_transaction'>) =>
    eb.and([eb('settled', '=', 0), eb('expires_time', '>', now + LONGEST_SECONDS)])
  // Checked with a select first: an update would take the lock that charges wait for.
  const any = await db.selectFrom('token_transaction').select('id').where(isAhead).limit(1).executeTakeFirst()
  if (any === undefined) return
  await db
    .updateTable('token_transaction')
    .set((eb) => ({ expires_time: eb(eb('expires_time', '-', eb.ref('created_time')), '+', now), created_time: now }))
    .where(isAhead)
    .execute()
}

/** A token's transactions, newest first, from its last `most`. */
export async function listTransactions(
  db: Kysely<Schema>,
  tokenId: number,
  page: Page,
  most: number,
): Promise<{ readonly rows: readonly TransactionRow[]; readonly total: number }> {
  const own = db
    .selectFrom('token_transaction')
    .where('token_id', '=', tokenId)
    .where('status', '<>', TRANSACTION_STATUS.opening)
  const limit = Math.max(0, Math.min(page.limit, most - page.offset))
  const counted = own
    .select(sql`1`.as('one'))
    .limit(most)
    .as('counted')
  return await readPage(own.selectAll().orderBy('id', 'desc'), db.selectFrom(counted), { ...page, limit })
}

/** True when any process has charged the request. */
export async function isCharged(db: Kysely<Schema>, requestId: string): Promise<boolean> {
  const row = await db
    .selectFrom('transfer')
    .select('request_id')
    .where('request_id', '=', requestId)
    .where('kind', '=', 'consume')
    .executeTakeFirst()
  return row !== undefined
}
