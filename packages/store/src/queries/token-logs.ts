import { type Kysely, sql } from 'kysely'
import { asNumber } from '../aggregates.ts'
import type { Page } from '../paging.ts'
import type { Schema } from '../schema.ts'
import type { LogRow } from './logs.ts'

/** Rows of the owner that are looked at, newest first: a token that has been quiet for longer shows none. */
const SCAN_MAX = 100_000

/** Log rows of one token, newest first, of the last `most` ones. `since` in unix seconds: older rows were cleared. */
export async function listLogsOfToken(
  db: Kysely<Schema>,
  of: { readonly userId: number; readonly tokenId: number; readonly since: number },
  page: Page,
  most: number,
): Promise<{ readonly rows: readonly LogRow[]; readonly total: number }> {
  const owners = db
    .selectFrom('log')
    .selectAll()
    .where('user_id', '=', of.userId)
    .where('created_at', '>=', of.since)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(SCAN_MAX)
  const found = db.selectFrom(owners.as('log')).where('token_id', '=', of.tokenId)
  const limit = Math.max(0, Math.min(page.limit, most - page.offset))
  const [rows, { total }] = await Promise.all([
    found.selectAll().orderBy('created_at', 'desc').orderBy('id', 'desc').limit(limit).offset(page.offset).execute(),
    db
      .selectFrom(
        found
          .select(sql`1`.as('one'))
          .limit(most)
          .as('counted'),
      )
      .select((eb) => eb.fn.countAll<number | bigint>().as('total'))
      .executeTakeFirstOrThrow(),
  ])
  return { rows: rows.map((row) => ({ ...row, id: asNumber(row.id) })), total: asNumber(total) }
}
