import * as v from 'valibot'
import { textFromAddress } from '../../../lib/list/list-search.ts'

/** What the address says while it says nothing. */
export const MODELS_DEFAULTS: { keyword: string; channels: string[] } = { keyword: '', channels: [] }

/** The state of the price list in the address; what does not fit falls back to its default. */
export const modelsSearch = v.object({
  keyword: v.optional(v.fallback(textFromAddress, ''), ''),
  channels: v.optional(v.fallback(v.array(textFromAddress), []), []),
  /** Name of the model whose panel is open, and the group it is looked at in. */
  model: v.optional(v.fallback(textFromAddress, '')),
  in: v.optional(v.fallback(textFromAddress, '')),
})
export type ModelsSearch = v.InferOutput<typeof modelsSearch>
