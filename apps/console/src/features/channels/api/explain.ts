import { explainRouting } from '@sluice/contract/routes/routing'
import type { RoutingExplanation } from '@sluice/contract/routing'
import { type Call, successOf } from '../../../lib/http/call.ts'
import type { QuerySpec } from '../../../lib/query/queries.ts'
import { explainBody } from '../model/explain-question.ts'
import type { ExplainSearch } from '../model/explain-search.ts'

/** What would become of a request; nothing is sent. */
export function explainQuery(call: Call, search: ExplainSearch): QuerySpec<RoutingExplanation> {
  return {
    queryKey: ['routing-explained', search],
    queryFn: async ({ signal }) => successOf(await call(explainRouting, { body: explainBody(search), signal })).data,
  }
}
