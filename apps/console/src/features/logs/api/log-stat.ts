import { logStat, ownLogStat } from '@sluice/contract/routes/logs'
import { pointsOf } from '../../../lib/format/quota.ts'
import { type Call, successOf } from '../../../lib/http/call.ts'
import type { QuerySpec } from '../../../lib/query/queries.ts'
import { filterQueryOf, type LogFilters } from '../model/log-window.ts'
import { LOGS } from './log-list.ts'

/** Quota points consumed under the filters. */
export function logStatQuery(call: Call, filters: LogFilters, seesAll: boolean, now: () => number): QuerySpec<number> {
  const { type, model, token, username, channel, start, end } = filters
  return {
    queryKey: [...LOGS, 'stat', seesAll, { type, model, token, username, channel, start, end }],
    queryFn: async ({ signal }) => {
      const query = filterQueryOf(filters, seesAll, now())
      const reply = seesAll ? await call(logStat, { query, signal }) : await call(ownLogStat, { query, signal })
      const { quota, quota_exact: exact } = successOf(reply).data
      return pointsOf(quota, exact)
    },
  }
}
