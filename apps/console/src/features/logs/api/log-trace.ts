import type { Trace } from '@sluice/contract/log'
import { traceOfLog } from '@sluice/contract/routes/logs'
import { type Call, successOf } from '../../../lib/http/call.ts'
import type { QuerySpec } from '../../../lib/query/queries.ts'

/** A request that has a row is over: its trace does not change any more. */
const FRESH_MS = 60 * 60_000

/** Timeline of the request behind a log row. */
export function logTraceQuery(call: Call, id: number): QuerySpec<Trace> {
  return {
    queryKey: ['logs', 'trace', id],
    queryFn: async ({ signal }) => successOf(await call(traceOfLog, { params: { id }, signal })).data,
    staleTime: FRESH_MS,
  }
}
