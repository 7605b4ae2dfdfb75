import { getToken, listTokens } from '@sluice/contract/routes/tokens'
import { type Token, TOKEN_STATUS } from '@sluice/contract/token'
import { type Call, successOf } from '../../../lib/http/call.ts'
import type { QuerySpec } from '../../../lib/query/queries.ts'

/** Tokens looked at first; the specification's number. */
export const FIRST_TOKENS = 5
/** Tokens looked at on request; the most that a page may hold. */
export const MOST_TOKENS = 100

export interface UsableTokens {
  /** The enabled ones among those looked at, newest first. */
  readonly tokens: readonly Token[]
  /** Whether there are tokens that were not looked at. */
  readonly more: boolean
}

/** Own tokens that can be used now, among the newest `size`. */
export function usableTokensQuery(call: Call, size: number): QuerySpec<UsableTokens> {
  return {
    queryKey: ['playground', 'tokens', size],
    queryFn: async ({ signal }) => {
      const { data, total } = successOf(await call(listTokens, { query: { p: '0', size: String(size) }, signal }))
      return { tokens: data.filter(isUsable), more: total > data.length }
    },
  }
}

/** One own token, when it can be used now; null otherwise. */
export function usableTokenQuery(call: Call, id: number): QuerySpec<Token | null> {
  return {
    queryKey: ['playground', 'token', id],
    queryFn: async ({ signal }) => {
      const { data } = successOf(await call(getToken, { params: { id }, signal }))
      return isUsable(data) ? data : null
    },
  }
}

function isUsable({ status }: Token): boolean {
  return status === TOKEN_STATUS.enabled
}
