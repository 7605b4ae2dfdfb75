import { type Kysely, sql } from 'kysely'
import { asBigInt, asNumber } from '../../aggregates.ts'
import type { Schema } from '../../schema/schema.ts'

/** Total usage of a user, a token or a channel at all other gateways. Amount in mq. */
export interface UsedBefore {
  readonly used: bigint
  readonly requests: number
}

/** Rows with their usage from before they were imported; null for rows created here. */
export async function withUsedBefore<Row extends { readonly id: number }>(
  db: Kysely<Schema>,
  kind: 'user' | 'token' | 'channel',
  rows: readonly Row[],
): Promise<readonly (Row & { readonly before: UsedBefore | null })[]> {
  if (rows.length === 0) return []
  const found = await db
    .selectFrom('imported')
    .select([
      'target_id',
      sql<number | bigint | string>`sum(used)`.as('used'),
      sql<number | bigint | string>`sum(requests)`.as('requests'),
    ])
    .where('kind', '=', kind)
    .where(
      'target_id',
      'in',
      rows.map(({ id }) => id),
    )
    .groupBy('target_id')
    .execute()
  const byId = new Map(
    found.map((row) => [row.target_id, { used: asBigInt(row.used), requests: asNumber(row.requests) }]),
  )
  return rows.map((row) => ({ ...row, before: byId.get(row.id) ?? null }))
}
