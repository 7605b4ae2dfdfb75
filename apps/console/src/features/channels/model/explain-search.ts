import * as v from 'valibot'
import { optionalRowId } from '../../../lib/list/row-id.ts'
import { textParameter } from '../../../lib/navigation/exact-search.ts'

/** What the address says of a request that is only thought of; nothing is asked without a model. */
export const explainSearch = v.object({
  model: textParameter,
  /** Whose it would be: the first of these that is there, else one of the default group. */
  user: optionalRowId,
  token: optionalRowId,
  group: textParameter,
  path: textParameter,
  channel: optionalRowId,
  session: textParameter,
  /** Id of a request that was made; then its own way is shown instead. */
  request: textParameter,
})
export type ExplainSearch = v.InferOutput<typeof explainSearch>

export const EXPLAIN_DEFAULTS = { model: '', group: '', path: '', session: '', request: '' } as const
