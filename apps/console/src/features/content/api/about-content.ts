import { about } from '@sluice/contract/routes/system'
import { type Call, successOf } from '../../../lib/http/call.ts'
import type { QuerySpec } from '../../../lib/query/queries.ts'

/** What the operators say about this gateway; empty when they say nothing. */
export function aboutContentQuery(call: Call): QuerySpec<string> {
  return {
    queryKey: ['content', 'about'],
    queryFn: async ({ signal }) => successOf(await call(about, { signal })).data,
  }
}
