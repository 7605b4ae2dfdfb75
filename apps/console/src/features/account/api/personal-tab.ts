import type { Call } from '../../../lib/http/call.ts'
import type { Queries } from '../../../lib/query/queries.ts'
import { ownAccountQuery } from './own-account.ts'
import { passkeyListQuery } from './passkey-list.ts'
import { sessionListQuery } from './session-list.ts'
import { totpStatusQuery } from './totp-status.ts'

/** Asks for everything that the Personal tab shows. */
export function prefetchPersonalTab(queries: Queries, call: Call): void {
  queries.prefetch(ownAccountQuery(call))
  queries.prefetch(totpStatusQuery(call))
  queries.prefetch(passkeyListQuery(call))
  queries.prefetch(sessionListQuery(call))
}
