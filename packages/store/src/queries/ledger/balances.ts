import type { Kysely } from 'kysely'
import type { Schema } from '../../schema/schema.ts'
import { type BudgetRow, withBudgets } from './budgets.ts'

/** A balance as committed. Amounts are mq. */
export interface BalanceRow {
  readonly posted: bigint
  readonly held: bigint
  readonly spent: bigint
  readonly requests: number
  readonly unlimited: boolean
  readonly budgets: readonly BudgetRow[]
}

const NOTHING: BalanceRow = { posted: 0n, held: 0n, spent: 0n, requests: 0, unlimited: false, budgets: [] }

/** The balance of a ledger account; all zeros for one that was never opened. */
export async function findBalance(db: Kysely<Schema>, account: number): Promise<BalanceRow> {
  const row = await db
    .selectFrom('account')
    .select(['id as account', 'posted', 'held', 'spent', 'requests', 'unlimited', 'budgeted'])
    .where('id', '=', account)
    .executeTakeFirst()
  const [balance] = await withBudgets(db, row === undefined ? [] : [row])
  return balance === undefined ? NOTHING : { ...balance, unlimited: balance.unlimited === 1 }
}

/** The ledger accounts of a user and of one of their tokens, whether or not these still exist. */
export async function findAccountIds(
  db: Kysely<Schema>,
  userId: number,
  tokenId: number,
): Promise<{ readonly account: number; readonly limitAccount: number } | undefined> {
  const rows = await db
    .selectFrom('account')
    .select(['id', 'kind'])
    .where((eb) =>
      eb.or([
        eb.and([eb('kind', '=', 'user'), eb('owner_id', '=', userId)]),
        eb.and([eb('kind', '=', 'token'), eb('owner_id', '=', tokenId)]),
      ]),
    )
    .execute()
  const idOf = (kind: string) => rows.find((row) => row.kind === kind)?.id
  const [account, limitAccount] = [idOf('user'), idOf('token')]
  return account === undefined || limitAccount === undefined ? undefined : { account, limitAccount }
}
