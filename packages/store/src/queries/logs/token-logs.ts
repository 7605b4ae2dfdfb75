import type { Kysely } from 'kysely'
import type { Page } from '../../paging.ts'
import type { Schema } from '../../schema/schema.ts'
import { listLogs, type LogPage } from './logs.ts'

const NEWEST = { column: 'created_at', direction: 'desc' } as const

/**
 * Log rows of one token, newest first: of the last `most` rows under its name, those that are its own. Tokens of one user may
 * share a name, and a key must not show the rows of another. `since` in unix seconds: older rows were cleared.
 */
export async function listLogsOfToken(
  db: Kysely<Schema>,
  of: { readonly userId: number; readonly tokenId: number; readonly tokenName: string; readonly since: number },
  page: Page,
  most: number,
): Promise<LogPage> {
  const { userId, tokenId, tokenName, since } = of
  const filter = { userId, tokenName, from: since > 0 ? since : undefined }
  const { rows } = await listLogs(db, filter, NEWEST, { limit: most, offset: 0 })
  const own = rows.filter((row) => row.token_id === tokenId)
  return { rows: own.slice(page.offset, page.offset + page.limit), total: own.length }
}
