import { listOwnUsageSessions, listSessions, type UsageSession } from '@sluice/contract/routes/usage-sessions'
import { type Call, successOf } from '~/lib/http/call.ts'
import type { ListPage } from '~/lib/list/list-query.ts'
import type { QuerySpec } from '~/lib/query/queries.ts'
import type { SessionSearch } from './model/session-search.ts'

export interface SessionPage extends ListPage<UsageSession> {
  /** Start of the next page; undefined on the last one. */
  readonly next: string | undefined
  /** How many of the latest sessions are in the requested order; undefined when all are. */
  readonly among: number | undefined
}

/** Without `logs.all`, only the visitor's own sessions. */
export function sessionListQuery(
  call: Call,
  { size, sort, order, after, keyword, username }: SessionSearch,
  seesAll: boolean,
): QuerySpec<SessionPage> {
  return {
    queryKey: ['sessions', 'list', seesAll, { size, sort, order, after, keyword, username }],
    queryFn: async ({ signal }) => {
      const query = {
        size: String(size),
        sort,
        order: sort === '' ? ('' as const) : order,
        after,
        token_name: keyword,
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
