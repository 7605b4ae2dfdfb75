import type { ImportFamily } from '@sluice/contract/import'
import type { ForeignTable } from '@sluice/store/foreign/foreign-database'

export interface FamilyMatch {
  readonly family: ImportFamily
  /** Columns of each table, by its name. */
  readonly columns: ReadonlyMap<string, ReadonlySet<string>>
}

const REQUIRED: Readonly<Record<string, readonly string[]>> = {
  users: ['id', 'username', 'password', 'role', 'status', 'quota'],
  tokens: ['id', 'user_id', 'key', 'status', 'remain_quota', 'unlimited_quota', 'expired_time'],
  channels: ['id', 'type', 'key', 'status', 'models'],
}

/**
 * Recognises a program by tables and columns that only it has. Returns a sentence if the database is from none of them. Sources:
 * the model files of songquanpeng/one-api, Laisky/one-api and new-api.
 */
export function recogniseFamily(tables: readonly ForeignTable[]): FamilyMatch | { readonly problem: string } {
  const columns = new Map(tables.map(({ name, columns: names }) => [name, new Set(names)]))
  for (const [table, needed] of Object.entries(REQUIRED)) {
    const present = columns.get(table)
    if (present === undefined) {
      return { problem: `This is not a database of One API or its family: it has no table "${table}".` }
    }
    const missing = needed.find((column) => !present.has(column))
    if (missing !== undefined) {
      return { problem: `This is not a database of One API or its family: "${table}" has no column "${missing}".` }
    }
  }
  const has = (table: string, column: string): boolean => columns.get(table)?.has(column) === true
  if (has('users', 'quota_exact')) return { family: 'sluice', columns }
  const isNewApi = has('tokens', 'model_limits') || has('channels', 'channel_info') || has('users', 'aff_quota')
  if (isNewApi) return { family: 'new-api', columns }
  const isLaisky = has('users', 'totp_secret') || has('channels', 'model_configs') || has('logs', 'origin_model_name')
  return { family: isLaisky ? 'laisky' : 'one-api', columns }
}
