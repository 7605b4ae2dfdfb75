import * as v from 'valibot'
import { optionalRowId } from '~/lib/list/row-calls.ts'
import { textParameter } from '~/lib/navigation/exact-search.ts'

/** A hypothetical request; nothing is asked without a model. */
export const explainSearch = v.object({
  model: textParameter,
  /** Whose request it would be: the first of these that is set, otherwise a request from the group `default`. */
  user: optionalRowId,
  token: optionalRowId,
  group: textParameter,
  path: textParameter,
  channel: optionalRowId,
  session: textParameter,
  /** Id of a real request, whose actual route is shown instead. */
  request: textParameter,
})
export type ExplainSearch = v.InferOutput<typeof explainSearch>

export const EXPLAIN_DEFAULTS = { model: '', group: '', path: '', session: '', request: '' } as const
