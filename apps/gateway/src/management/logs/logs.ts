import { can } from '@sluice/contract/capability'
import type { Refusal } from '@sluice/contract/errors'
import type { Log, Trace } from '@sluice/contract/log'
import * as routes from '@sluice/contract/routes/logs'
import { logRecord } from '@sluice/observe/log-record'
import { traceRecord } from '@sluice/observe/trace-record'
import { pageOf, sortingOf } from '@sluice/store/paging'
import { findUser } from '@sluice/store/queries/accounts/users'
import { LOG_SORT_COLUMNS } from '@sluice/store/queries/logs/log-choice'
import type { LogFilter } from '@sluice/store/queries/logs/log-filter'
import { logHistogram } from '@sluice/store/queries/logs/log-histogram'
import * as logs from '@sluice/store/queries/logs/logs'
import { findTrace } from '@sluice/store/queries/logs/traces'
import { type Binding, bind } from '../bind.ts'
import { invalidField } from '../issue-text.ts'
import type { ListQuery } from '../list-query.ts'
import type { SharedPorts } from '../ports.ts'
import { chargedOnWire } from '../quota-wire.ts'
import type { Caller } from '../sessions/caller.ts'
import { createClearLogs } from './clear-logs.ts'
import { clearedBefore, createLogScope } from './log-scope.ts'

/** A search looks inside texts, where a single letter would find everything. */
const KEYWORD_MIN = 2
const NEWEST = { column: 'created_at', direction: 'desc' } as const

type SearchQuery = Pick<ListQuery, 'p' | 'size'> & { readonly keyword: string }

export type LogDeps = Pick<SharedPorts, 'database' | 'options' | 'now' | 'inBackground'>

/** Logs and traces: those of all users for administrators, their own for everyone else. */
export function logRoutes(deps: LogDeps): readonly Binding[] {
  const clearLogs = createClearLogs(deps)
  const { everybody, own } = createLogScope(deps)
  return [
    bind(routes.listLogs, async ({ caller, query }) => list(deps, caller, await everybody(query), query)),
    bind(routes.listOwnLogs, async ({ caller, query }) => list(deps, caller, await own(caller, query), query)),
    bind(routes.searchLogs, ({ caller, query }) => search(deps, caller, undefined, query)),
    bind(routes.searchOwnLogs, ({ caller, query }) => search(deps, caller, caller.id, query)),
    bind(routes.logStat, async ({ query }) => stat(deps, await everybody(query))),
    bind(routes.ownLogStat, async ({ caller, query }) => stat(deps, await own(caller, query))),
    bind(routes.logHistogram, async ({ query }) => histogram(deps, await everybody(query))),
    bind(routes.ownLogHistogram, async ({ caller, query }) => histogram(deps, await own(caller, query))),

    bind(routes.clearLogs, async ({ caller, query }) => {
      // The windows of log lists end an hour from now, but future rows are not cleared.
      const before = Math.min(query.target_timestamp, Math.floor(deps.now() / 1_000))
      return { data: await clearLogs(caller, before) }
    }),

    bind(routes.traceOfLog, async ({ caller, id }) =>
      traceBehind(deps, caller, await logs.findLog(deps.database.kysely, id)),
    ),
    bind(routes.traceOfRequest, ({ caller, params }) => traceOfRequest(deps, caller, params.trace_id)),
  ]
}

async function list(deps: LogDeps, caller: Caller, filter: LogFilter, query: ListQuery): Promise<Page> {
  // Sorting by a column that users do not see would reveal it.
  const isHidden = query.sort === 'channel' && !can(caller.role, 'logs.all')
  const sorting = isHidden ? NEWEST : sortingOf(LOG_SORT_COLUMNS, query, NEWEST)
  return shown(caller, await logs.listLogs(deps.database.kysely, filter, sorting, pageOf(query)))
}

function shown(caller: Caller, { rows, total, sorted }: logs.LogPage): Page {
  const showChannel = can(caller.role, 'logs.all')
  const data = rows.map((row) => logRecord(row, { ...chargedOnWire(row.amount), showChannel }))
  return { data, total, extra: sorted === undefined ? {} : { sorted } }
}

async function search(
  deps: LogDeps,
  caller: Caller,
  userId: number | undefined,
  query: SearchQuery,
): Promise<Page | Refusal> {
  const { keyword } = query
  const since = clearedBefore(deps)
  const scope = { userId, from: since > 0 ? since : undefined }
  const page = pageOf(query)
  // An empty search returns everything, as in the family.
  if (keyword === '') return shown(caller, await logs.listLogs(deps.database.kysely, scope, NEWEST, page))
  if (keyword.length < KEYWORD_MIN) return invalidField('keyword', `type at least ${KEYWORD_MIN} characters to search`)
  return shown(caller, await logs.searchLogs(deps.database.kysely, scope, keyword, page))
}

async function traceBehind(
  deps: LogDeps,
  caller: Caller,
  log: logs.LogRow | undefined,
): Promise<{ data: Trace } | Refusal> {
  const mayRead = log !== undefined && (log.user_id === caller.id || can(caller.role, 'logs.all'))
  // Another user's row gets the same answer as one that does not exist (class S11).
  if (!mayRead || log.request_id === null || log.created_at < clearedBefore(deps)) return { code: 'trace_not_found' }
  const trace = await findTrace(deps.database.kysely, log.request_id)
  if (trace === undefined) return { code: 'trace_not_found' }
  return { data: traceRecord(trace, log, { showChannel: can(caller.role, 'logs.all') }) }
}

/** The trace of a request that was charged, or that failed and has no row; for its owner and for administrators. */
async function traceOfRequest(deps: LogDeps, caller: Caller, requestId: string): Promise<{ data: Trace } | Refusal> {
  const log = await logs.findLogOfRequest(deps.database.kysely, requestId)
  if (log !== undefined) return await traceBehind(deps, caller, log)
  const trace = await findTrace(deps.database.kysely, requestId)
  const mayRead = trace !== undefined && (trace.user_id === caller.id || can(caller.role, 'logs.all'))
  if (!mayRead || trace.received_ms < clearedBefore(deps) * 1_000) return { code: 'trace_not_found' }
  const owner = await findUser(deps.database.kysely, trace.user_id)
  const noLog = { id: 0, username: owner?.username ?? '', type: 0, content: '' }
  return { data: traceRecord(trace, noLog, { showChannel: can(caller.role, 'logs.all') }) }
}

async function stat({ database }: LogDeps, filter: LogFilter) {
  return { data: chargedOnWire(await logs.sumLogs(database.kysely, { ...filter, type: undefined })) }
}

async function histogram(deps: LogDeps, filter: LogFilter) {
  const { seconds, buckets } = await logHistogram(deps.database.kysely, filter)
  const shownBuckets = buckets.map(({ start, entries, amount }) => ({
    start,
    entries,
    ...chargedOnWire(amount),
  }))
  return { data: { bucket_seconds: seconds, buckets: shownBuckets } }
}

interface Page {
  readonly data: Log[]
  readonly total: number
  readonly extra: { readonly sorted?: { readonly first: number; readonly among: number } }
}
