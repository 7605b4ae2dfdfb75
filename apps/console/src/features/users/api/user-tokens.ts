import { listAllTokens } from '@sluice/contract/routes/admin-tokens'
import type { AnyToken } from '@sluice/contract/token'
import { type Call, successOf } from '../../../lib/http/call.ts'
import type { QuerySpec } from '../../../lib/query/queries.ts'

/** Tokens of a user that are listed; whoever has more is told how many. */
const MOST_TOKENS = 20

interface UserTokens {
  readonly rows: readonly AnyToken[]
  readonly total: number
}

/** The newest tokens of a user, without their keys. */
export function userTokensQuery(call: Call, userId: number): QuerySpec<UserTokens> {
  return {
    queryKey: ['users', 'tokens', userId],
    queryFn: async ({ signal }) => {
      const query = { user_id: String(userId), size: String(MOST_TOKENS) }
      const { data, total } = successOf(await call(listAllTokens, { query, signal }))
      return { rows: data, total }
    },
  }
}
