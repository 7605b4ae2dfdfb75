import { listOwnSessions, type OwnSession } from '@sluice/contract/routes/own-sessions'
import { type Call, successOf } from '../../../lib/http/call.ts'
import type { QuerySpec } from '../../../lib/query/queries.ts'

export const SESSIONS = ['account', 'sessions'] as const

/** Where the account is signed in. */
export function sessionListQuery(call: Call): QuerySpec<readonly OwnSession[]> {
  return {
    queryKey: SESSIONS,
    queryFn: async ({ signal }) => successOf(await call(listOwnSessions, { signal })).data,
  }
}
