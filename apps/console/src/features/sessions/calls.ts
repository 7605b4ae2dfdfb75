import { can } from '@sluice/contract/capability'
import { listOwnUsageSessions, listSessions, type UsageSession } from '@sluice/contract/routes/usage-sessions'
import { type Call, successOf } from '../../lib/http/call.ts'
import type { ListPage } from '../../lib/list/list-query.ts'
import type { Queries, QuerySpec } from '../../lib/query/queries.ts'
import type { Session } from '../../lib/session/session.ts'
import type { SessionSearch } from './model/session-search.ts'

export interface SessionPage extends ListPage<UsageSession> {
  /** Where the next page begins; undefined on the last one. */
  readonly next: string | undefined
  /** So many of the latest sessions are in the requested order; undefined when all are. */
  readonly among: number | undefined
}

/** One page of sessions; without `logs.all` of the visitor's own. */
export function sessionListQuery(
  call: Call,
  { size, sort, order, after, token, username }: SessionSearch,
  seesAll: boolean,
): QuerySpec<SessionPage> {
  return {
    queryKey: ['sessions', 'list', seesAll, { size, sort, order, after, token, username }],
    queryFn: async ({ signal }) => {
      const query = {
        size: String(size),
        sort,
        order: sort === '' ? ('' as const) : order,
        after,
        token_name: token,
        username: seesAll ? username : '',
      }
      const reply = seesAll
        ? await call(listSessions, { query, signal })
        : await call(listOwnUsageSessions, { query, signal })
      const { data, extra } = successOf(reply)
      return { rows: data, total: data.length, next: extra.next, among: extra.among }
    },
  }
}

interface Loading {
  readonly call: Call
  readonly queries: Queries
  readonly session: Session
}

/** Starts the call of the page while its code loads. Here, because the route's own code is part of every sign-in. */
export function prefetchSessions({ call, queries, session }: Loading, search: SessionSearch): void {
  queries.prefetch(sessionListQuery(call, search, can(session.get()?.role, 'logs.all')))
}
