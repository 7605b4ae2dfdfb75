import type { ImportReport } from '@sluice/contract/import'
import { PASSKEY_COLUMNS, TWO_FA_COLUMNS } from './take/second-factors.ts'
import { CHANNEL_COLUMNS } from './take/take-channel.ts'
import { CODE_COLUMNS } from './take/take-code.ts'
import { LOG_COLUMNS } from './take/take-log.ts'
import { TOKEN_COLUMNS } from './take/take-token.ts'
import { USER_COLUMNS } from './take/take-user.ts'

const READ: ReadonlyMap<string, readonly string[]> = new Map<string, readonly string[]>(
  Object.entries({
    users: USER_COLUMNS,
    tokens: TOKEN_COLUMNS,
    channels: CHANNEL_COLUMNS,
    redemptions: CODE_COLUMNS,
    logs: LOG_COLUMNS,
    two_fas: TWO_FA_COLUMNS,
    passkey_credentials: PASSKEY_COLUMNS,
    options: ['key', 'value'],
    // Derived from the channels.
    abilities: [],
  }),
)
const TABLES_MAX = 200

/** The parts of the source that are not read: unknown columns of known tables, and whole tables, with an empty list. */
export function unknownColumns({
  columns,
}: {
  readonly columns: ReadonlyMap<string, ReadonlySet<string>>
}): ImportReport['unknown'] {
  return [...columns].slice(0, TABLES_MAX).flatMap(([table, names]) => {
    const read = READ.get(table)
    if (read === undefined) return [{ table, columns: [] }]
    if (read.length === 0) return []
    const unread = [...names].filter((name) => !read.includes(name))
    return unread.length === 0 ? [] : [{ table, columns: unread }]
  })
}
