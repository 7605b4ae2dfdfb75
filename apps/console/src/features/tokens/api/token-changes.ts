import { deleteToken, updateToken } from '@sluice/contract/routes/tokens'
import type { Token } from '@sluice/contract/token'
import type { Call } from '../../../lib/http/call.ts'
import type { RowCalls } from '../../../lib/list/row-calls.ts'

/** The calls that switch a token on and off, and delete it. */
export function tokenChanges(call: Call): RowCalls<Token> {
  return {
    setStatus: ({ id }, status) => call(updateToken, { query: { status_only: '1' }, body: { id, status } }),
    remove: ({ id }) => call(deleteToken, { params: { id } }),
  }
}
