import type { Log, Trace } from '@sluice/contract/log'
import type { Receipt } from '@sluice/contract/receipt'
import type { Extra } from '@sluice/contract/route'
import { searchChannels } from '@sluice/contract/routes/channels'
import {
  listLogs,
  listOwnLogs,
  logHistogram,
  logStat,
  ownLogHistogram,
  ownLogStat,
  searchLogs,
  searchOwnLogs,
  traceOfLog,
} from '@sluice/contract/routes/logs'
import { modelsDisplay } from '@sluice/contract/routes/public'
import { listCharges, listOwnCharges, receiptOfLog } from '@sluice/contract/routes/receipts'
import { searchTokens } from '@sluice/contract/routes/tokens'
import { searchUsers } from '@sluice/contract/routes/users'
import { pointsOf } from '~/lib/format/quota.ts'
import { type Call, type Reply, successOf } from '~/lib/http/call.ts'
import {
  type ListPage,
  pageOf,
  type RowSearch,
  MOST_SUGGESTIONS,
  suggestionQuery,
  suggestionsOf,
} from '~/lib/list/list-query.ts'
import { pageQueryOf } from '~/lib/list/list-search.ts'
import type { QuerySpec } from '~/lib/query/queries.ts'
import type { Suggestion } from '~/ui/combobox/use-suggestions.ts'
import { EXPORT_PAGE_SIZE } from './model/export/export-logs.ts'
import type { TermKey } from './model/filters/filter-terms.ts'
import { filterQueryOf, type LogFilters, logWindow } from './model/filters/log-window.ts'
import { type Bar, barsOf, type Window } from './model/histogram.ts'

export const LOGS = ['logs'] as const

export type LogListSearch = LogFilters & RowSearch

/** A keyword replaces the filters. Without `logs.all`, lists only the user's own rows. */
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

/** `sorted`: how many of the rows are in the requested order; undefined when all of them are. */
export type LogPage = ListPage<Log> & { readonly sorted: Extra<typeof listLogs>['sorted'] }

/** `now` (unix ms) is read at each request, so that the default window moves on. */
export function logListQuery(
  call: Call,
  search: LogListSearch,
  seesAll: boolean,
  now: () => number,
): QuerySpec<LogPage> {
  const { p, size, sort, order, keyword, type, model, token, username, channel, session, start, end } = search
  const filters = keyword === '' ? { type, model, token, username, channel, session, start, end } : undefined
  return {
    queryKey: [...LOGS, 'list', seesAll, { p, size, sort, order, keyword }, filters],
    queryFn: async ({ signal }) => {
      const reply = await fetchLogs(call, search, seesAll, now(), signal)
      const answer = successOf(reply, 'Failed to load logs')
      return { ...pageOf(answer), sorted: answer.extra.sorted }
    },
  }
}

/** In quota points. */
export function logStatQuery(call: Call, filters: LogFilters, seesAll: boolean, now: () => number): QuerySpec<number> {
  const { type, model, token, username, channel, session, start, end } = filters
  return {
    queryKey: [...LOGS, 'stat', seesAll, { type, model, token, username, channel, session, start, end }],
    queryFn: async ({ signal }) => {
      const query = filterQueryOf(filters, seesAll, now())
      const reply = seesAll ? await call(logStat, { query, signal }) : await call(ownLogStat, { query, signal })
      const { quota, quota_exact: exact } = successOf(reply).data
      return pointsOf(quota, exact)
    },
  }
}

export interface HistogramBars extends Window {
  readonly bars: readonly Bar[]
}

/** An open end of the window moves on with the clock. */
export function logHistogramQuery(
  call: Call,
  filters: LogFilters,
  seesAll: boolean,
  now: () => number,
): QuerySpec<HistogramBars> {
  const { type, model, token, username, channel, session, start, end } = filters
  return {
    queryKey: [...LOGS, 'histogram', seesAll, { type, model, token, username, channel, session, start, end }],
    queryFn: async ({ signal }) => {
      const at = now()
      const query = filterQueryOf(filters, seesAll, at)
      const reply = seesAll
        ? await call(logHistogram, { query, signal })
        : await call(ownLogHistogram, { query, signal })
      const window = logWindow(filters, at)
      return { ...window, bars: barsOf(successOf(reply).data, window) }
    },
  }
}

/** Values that the gateway knows and that match the text; `undefined` when the call failed. */
export async function findFilterValues(
  call: Call,
  key: TermKey | undefined,
  text: string,
  signal: AbortSignal,
): Promise<readonly Suggestion[] | undefined> {
  const query = suggestionQuery(text)
  switch (key) {
    case 'model': {
      const reply = await call(modelsDisplay, { query: { keyword: text }, signal })
      if (!reply.ok) return undefined
      const names = new Set(Object.values(reply.data).flatMap(({ models }) => Object.keys(models)))
      const wanted = text.toLowerCase()
      return [...names]
        .filter((name) => name.toLowerCase().includes(wanted))
        .slice(0, MOST_SUGGESTIONS)
        .map((name) => ({ id: name, label: name }))
    }
    case 'token':
      return suggestionsOf(await call(searchTokens, { query, signal }), ({ name }) => ({ id: name, label: name }))
    case 'user':
      return suggestionsOf(await call(searchUsers, { query, signal }), ({ id, username }) => ({
        id: username,
        label: username,
        hint: `#${id}`,
      }))
    case 'channel':
      return suggestionsOf(await call(searchChannels, { query, signal }), ({ id, name }) => ({
        id: String(id),
        label: String(id),
        hint: name,
      }))
    default:
      return []
  }
}

/** A request with a row is finished, so its trace no longer changes. */
const TRACE_FRESH_MS = 60 * 60_000

export function logTraceQuery(call: Call, id: number): QuerySpec<Trace> {
  return {
    queryKey: ['logs', 'trace', id],
    queryFn: async ({ signal }) => successOf(await call(traceOfLog, { params: { id }, signal })).data,
    staleTime: TRACE_FRESH_MS,
  }
}

const RECEIPTS = [...LOGS, 'receipt'] as const

/** A late settlement or a refund can still add to the charge. */
export function logReceiptQuery(call: Call, id: number): QuerySpec<Receipt> {
  return {
    queryKey: [...RECEIPTS, id],
    queryFn: async ({ signal }) => successOf(await call(receiptOfLog, { params: { id }, signal })).data,
  }
}

/** Without `logs.all`, only the user's own movements. */
export async function fetchCharges(
  call: Call,
  filters: LogFilters,
  p: number,
  seesAll: boolean,
  now: number,
  signal: AbortSignal,
): Promise<Reply<typeof listCharges>> {
  const query = { p: String(p), size: String(EXPORT_PAGE_SIZE), ...filterQueryOf(filters, seesAll, now) }
  return seesAll ? call(listCharges, { query, signal }) : call(listOwnCharges, { query, signal })
}
