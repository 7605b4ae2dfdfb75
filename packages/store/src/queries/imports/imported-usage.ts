import { type Insertable, type Kysely, sql, type Transaction } from 'kysely'
import type { Schema } from '../../schema/schema.ts'
import { lookUp, lookUpParts, partsOf } from '../../statement-sizes.ts'

export interface ImportPosition {
  /** Ids of the last log row that is included in the sums, and of the last one that has been copied as a row. */
  readonly sumsTo: number
  readonly rowsTo: number
  /** Totals of the sums. Amount in mq. */
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

/** Adds sums and records up to which row of the source's log they go, in one transaction. */
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
    for (const part of partsOf(sums)) {
      await trx
        .insertInto('imported_usage')
        .values(part)
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

/** Adds log rows and records up to which row of the source's log they go, in one transaction. False if another process did so. */
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
    for (const part of partsOf(rows)) await trx.insertInto('log').values(part).execute()
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

/** A token by its owner here and its name. */
export interface NamedToken {
  readonly userId: number
  readonly name: string
}

/** Local token ids by `<user id> <name>`; of several tokens with the same name, the oldest. */
export async function findTokensByName(
  db: Kysely<Schema>,
  wanted: readonly NamedToken[],
): Promise<ReadonlyMap<string, number>> {
  const found = new Map<string, number>()
  const namesOf = new Map<number, string[]>()
  for (const { userId, name } of wanted) namesOf.set(userId, [...(namesOf.get(userId) ?? []), name])
  for (const users of lookUpParts([...namesOf.keys()])) {
    const names = users.flatMap((user) => namesOf.get(user) ?? [])
    const rows = await lookUp(names, (part) =>
      db
        .selectFrom('token')
        .select(['id', 'user_id', 'name'])
        .where('user_id', 'in', users)
        .where('name', 'in', part)
        .execute(),
    )
    for (const { id, user_id: userId, name } of rows) {
      const key = `${userId} ${name}`
      found.set(key, Math.min(id, found.get(key) ?? id))
    }
  }
  return found
}
