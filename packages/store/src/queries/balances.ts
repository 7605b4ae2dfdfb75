import type { Kysely } from 'kysely'
import type { Schema } from '../schema.ts'

/** A balance as it is committed. Amounts are mq. */
export interface BalanceRow {
  readonly posted: bigint
  readonly held: bigint
  readonly spent: bigint
  readonly requests: number
  readonly unlimited: boolean
}

const NOTHING: BalanceRow = { posted: 0n, held: 0n, spent: 0n, requests: 0, unlimited: false }

/** The balance of a ledger account; an account that was never opened has nothing. */
export async function findBalance(db: Kysely<Schema>, account: number): Promise<BalanceRow> {
  const row = await db
    .selectFrom('account')
    .select(['posted', 'held', 'spent', 'requests', 'unlimited'])
    .where('id', '=', account)
    .executeTakeFirst()
  return row === undefined ? NOTHING : { ...row, unlimited: row.unlimited === 1 }
}
