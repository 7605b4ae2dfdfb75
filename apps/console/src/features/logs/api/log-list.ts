import type { Log } from '@sluice/contract/log'
import type { Extra } from '@sluice/contract/route'
import { listLogs, listOwnLogs, searchLogs, searchOwnLogs } from '@sluice/contract/routes/logs'
import { type Call, type Reply, successOf } from '../../../lib/http/call.ts'
import { type ListPage, pageOf, type RowSearch } from '../../../lib/list/list-query.ts'
import { pageQueryOf } from '../../../lib/list/list-search.ts'
import type { QuerySpec } from '../../../lib/query/queries.ts'
import { filterQueryOf, type LogFilters } from '../model/log-window.ts'

/** Start of every key under which log lists and their totals are cached. */
export const LOGS = ['logs'] as const

export type LogListSearch = LogFilters & RowSearch

/** Performs the call that a list state asks for: a keyword replaces the filters; without `logs.all` only own rows. */
export async function fetchLogs(
  call: Call,
  search: LogListSearch,
  seesAll: boolean,
  now: number,
  signal: AbortSignal,
): Promise<Reply<typeof listLogs>> {
  const { p, size, sort, order, keyword } = search
  const page = pageQueryOf({ p, size, sort, order })
  if (keyword !== '') {
    const query = { ...page, keyword }
    return seesAll ? call(searchLogs, { query, signal }) : call(searchOwnLogs, { query, signal })
  }
  const query = { ...page, ...filterQueryOf(search, seesAll, now) }
  return seesAll ? call(listLogs, { query, signal }) : call(listOwnLogs, { query, signal })
}

/** `sorted`: how far the rows are in the order that was asked for; undefined when all of them are. */
export type LogPage = ListPage<Log> & { readonly sorted: Extra<typeof listLogs>['sorted'] }

/** One page of log rows. `now` (unix ms) is read at each request, so that the default window moves on. */
export function logListQuery(
  call: Call,
  search: LogListSearch,
  seesAll: boolean,
  now: () => number,
): QuerySpec<LogPage> {
  const { p, size, sort, order, keyword, type, model, token, username, channel, start, end } = search
  const filters = keyword === '' ? { type, model, token, username, channel, start, end } : undefined
  return {
    queryKey: [...LOGS, 'list', seesAll, { p, size, sort, order, keyword }, filters],
    queryFn: async ({ signal }) => {
      const reply = await fetchLogs(call, search, seesAll, now(), signal)
      const answer = successOf(reply, 'Failed to load logs')
      return { ...pageOf(answer), sorted: answer.extra.sorted }
    },
  }
}
