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

/** The ledger accounts of a user and of one of their tokens, whether these still exist or not. */
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
