import { joinParts, sumParts } from './invariants/invariant.ts'
import { movements, spendings } from './invariants/movements.ts'
import { idAt, type Scope, TIME_DIGITS } from './invariants/scope.ts'
import type { ReadRows } from './verify.ts'

/** Sums of an account's transfers before a bound. */
export interface AccountSums {
  readonly account: number
  readonly posted: bigint
  readonly spent: bigint
  readonly requests: number
}

/**
 * Requests of the last day and those with an open hold are never below a bound, so later rows have ids above it. A row that lands
 * below it after all makes the sums disagree, and everything is counted again.
 */
const SETTLED_AFTER_MS = 86_400_000

/**
 * The id below which no more rows are expected. `now` is unix milliseconds. Undefined when no request is old enough for a
 * checkpoint to save any work, or when ids carry no time.
 */
export async function chooseBound(read: ReadRows, now: number, { from }: Scope): Promise<string | undefined> {
  const settled = idAt(now - SETTLED_AFTER_MS)
  const [hold] = await read('select min(request_id) as oldest from hold')
  const oldest = hold?.['oldest']
  const bound = typeof oldest === 'string' && oldest < settled ? oldest.slice(0, TIME_DIGITS) : settled
  return /^[0-9a-f]{12}$/.test(bound) && bound > from ? bound : undefined
}

/** Every account's sums over all transfers before `bound`: those before `since` from its checkpoint, the others counted. */
export async function sumAccounts(read: ReadRows, since: Scope, bound: string): Promise<readonly AccountSums[]> {
  const range = { ...since, until: bound }
  const rows = await read(`
    with entry as (
      select account, amount as posted, 0 as spent, 0 as requests from (${movements(range)}) movement
      union all select account, 0, amount, request from (${spendings(range)}) spending
    ), total as (
      select account, ${sumParts('posted', 'posted_')}, ${sumParts('spent', 'spent_')}, sum(requests) as requests
      from entry group by account
    )
    select account, ${joinParts('posted_')} as posted, ${joinParts('spent_')} as spent, requests from total`)
  return rows.map((row) => ({
    account: Number(row['account']),
    posted: integer(row['posted']),
    spent: integer(row['spent']),
    requests: Number(row['requests']),
  }))
}

/** Expressions have no declared type: engines return them as number, bigint or text. */
function integer(value: unknown): bigint {
  return BigInt(value as bigint | number | string)
}
