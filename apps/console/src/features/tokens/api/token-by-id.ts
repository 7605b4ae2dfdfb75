import { getToken } from '@sluice/contract/routes/tokens'
import type { Token } from '@sluice/contract/token'
import { type Call, successOf } from '../../../lib/http/call.ts'
import type { QuerySpec } from '../../../lib/query/queries.ts'

/** One own token. */
export function tokenQuery(call: Call, id: number): QuerySpec<Token> {
  return {
    queryKey: ['tokens', 'one', id],
    queryFn: async ({ signal }) => successOf(await call(getToken, { params: { id }, signal })).data,
  }
}
