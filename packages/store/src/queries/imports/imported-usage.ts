import { type Insertable, type Kysely, sql, type Transaction } from 'kysely'
import type { Schema } from '../../schema/schema.ts'

export interface ImportPosition {
  /** Ids of the last log rows that are part of the sums, and that are rows here. */
  readonly sumsTo: number
  readonly rowsTo: number
  /** What the sums contain. Amount in mq. */
  readonly requests: number
  readonly amount: bigint
}

export async function findImportPosition(db: Kysely<Schema>, source: string): Promise<ImportPosition> {
  const row = await db
    .selectFrom('import_position')
    .select(['sums_to as sumsTo', 'rows_to as rowsTo', 'requests', 'amount'])
    .where('source', '=', source)
    .executeTakeFirst()
  return row ?? { sumsTo: 0, rowsTo: 0, requests: 0, amount: 0n }
}

type UsageRow = Insertable<Schema['imported_usage']>

/** Rows of one statement: SQLite takes 32,766 parameters. */
const AT_ONCE = 1_000

/** Adds sums, and notes up to which row of the source's log they go, in one transaction. */
export async function addImportedUsage(
  db: Kysely<Schema>,
  source: string,
  sums: readonly UsageRow[],
  { from, to }: { readonly from: number; readonly to: number },
): Promise<boolean> {
  const requests = sums.reduce((total, sum) => total + sum.requests, 0)
  const amount = sums.reduce((total, sum) => total + sum.amount, 0n)
  return await db.transaction().execute(async (trx) => {
    await openPosition(trx, source)
    const { numUpdatedRows } = await trx
      .updateTable('import_position')
      .set({ sums_to: to, requests: sql<number>`requests + ${requests}`, amount: sql<bigint>`amount + ${amount}` })
      .where('source', '=', source)
      .where('sums_to', '=', from)
      .executeTakeFirst()
    if (numUpdatedRows === 0n) return false
    for (let at = 0; at < sums.length; at += AT_ONCE) {
      await trx
        .insertInto('imported_usage')
        .values(sums.slice(at, at + AT_ONCE))
        .onConflict((conflict) =>
          conflict.columns(['user_id', 'day', 'token_id', 'channel_id', 'model']).doUpdateSet((eb) => ({
            requests: eb('imported_usage.requests', '+', eb.ref('excluded.requests')),
            prompt_tokens: eb('imported_usage.prompt_tokens', '+', eb.ref('excluded.prompt_tokens')),
            completion_tokens: eb('imported_usage.completion_tokens', '+', eb.ref('excluded.completion_tokens')),
            amount: eb('imported_usage.amount', '+', eb.ref('excluded.amount')),
          })),
        )
        .execute()
    }
    return true
  })
}

type LogRow = Insertable<Schema['log']>

/** Adds log rows, and notes up to which row of the source's log they go, in one transaction. False: another process has. */
export async function addImportedLogs(
  db: Kysely<Schema>,
  source: string,
  rows: readonly LogRow[],
  { from, to }: { readonly from: number; readonly to: number },
): Promise<boolean> {
  return await db.transaction().execute(async (trx) => {
    await openPosition(trx, source)
    const { numUpdatedRows } = await trx
      .updateTable('import_position')
      .set({ rows_to: to })
      .where('source', '=', source)
      .where('rows_to', '=', from)
      .executeTakeFirst()
    if (numUpdatedRows === 0n) return false
    if (rows.length > 0)
      await trx
        .insertInto('log')
        .values([...rows])
        .execute()
    return true
  })
}

async function openPosition(trx: Transaction<Schema>, source: string): Promise<void> {
  await trx
    .insertInto('import_position')
    .values({ source })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Ids here of tokens by `<user id> <name>`; of several with one name, the oldest. */
export async function findTokensByName(
  db: Kysely<Schema>,
  userIds: readonly number[],
): Promise<ReadonlyMap<string, number>> {
  const found = new Map<string, number>()
  if (userIds.length === 0) return found
  const rows = await db
    .selectFrom('token')
    .select(['id', 'user_id', 'name'])
    .where('user_id', 'in', [...userIds])
    .orderBy('id')
    .execute()
  for (const { id, user_id: userId, name } of rows) {
    const key = `${userId} ${name}`
    if (!found.has(key)) found.set(key, id)
  }
  return found
}
