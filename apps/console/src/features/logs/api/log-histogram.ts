import { logHistogram, ownLogHistogram } from '@sluice/contract/routes/logs'
import { type Call, successOf } from '../../../lib/http/call.ts'
import type { QuerySpec } from '../../../lib/query/queries.ts'
import { type Bar, barsOf, type Window } from '../model/histogram.ts'
import { filterQueryOf, type LogFilters, logWindow } from '../model/log-window.ts'
import { LOGS } from './log-list.ts'

export interface HistogramBars extends Window {
  readonly bars: readonly Bar[]
}

/** Rows and quota over the window of the filters, which moves on with the clock as far as it is open. */
export function logHistogramQuery(
  call: Call,
  filters: LogFilters,
  seesAll: boolean,
  now: () => number,
): QuerySpec<HistogramBars> {
  const { type, model, token, username, channel, start, end } = filters
  return {
    queryKey: [...LOGS, 'histogram', seesAll, { type, model, token, username, channel, start, end }],
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
