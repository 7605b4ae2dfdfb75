import * as v from 'valibot'
import { textFromAddress } from '../../../lib/list/list-search.ts'
import type { ModelFilter } from './catalogue.ts'

/** What the address says while it says nothing. */
export const MODELS_DEFAULTS: ModelFilter = { keyword: '', channels: [] }

/** The state of the price list in the address; what does not fit falls back to its default. */
export const modelsSearch = v.object({
  keyword: v.optional(v.fallback(textFromAddress, ''), ''),
  channels: v.optional(v.fallback(v.pipe(v.array(textFromAddress), v.readonly()), []), []),
  /** Name of the model whose panel is open, and the group it is looked at in. */
  model: v.optional(v.fallback(textFromAddress, '')),
  in: v.optional(v.fallback(textFromAddress, '')),
})
export type ModelsSearch = v.InferOutput<typeof modelsSearch>
