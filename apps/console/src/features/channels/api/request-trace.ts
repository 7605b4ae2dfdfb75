import type { Trace } from '@sluice/contract/log'
import { traceOfRequest } from '@sluice/contract/routes/logs'
import { type Call, successOf } from '../../../lib/http/call.ts'
import type { QuerySpec } from '../../../lib/query/queries.ts'

/** A request that is over, charged or not, by its id. */
export function requestTraceQuery(call: Call, requestId: string): QuerySpec<Trace> {
  return {
    queryKey: ['request-trace', requestId],
    queryFn: async ({ signal }) =>
      successOf(await call(traceOfRequest, { params: { trace_id: requestId }, signal })).data,
  }
}
