import * as v from 'valibot'
import { textFromAddress } from '~/lib/list/list-search.ts'

export const MODELS_DEFAULTS: { keyword: string; channels: string[]; group: string } = {
  keyword: '',
  channels: [],
  group: '',
}

export const modelsSearch = v.object({
  keyword: v.optional(v.fallback(textFromAddress, ''), ''),
  channels: v.optional(v.fallback(v.array(textFromAddress), []), []),
  /** Group whose prices are shown; empty for list prices. */
  group: v.optional(v.fallback(textFromAddress, ''), ''),
  /** Name of the model whose panel is open, and the group in which it was opened. */
  model: v.optional(v.fallback(textFromAddress, '')),
  in: v.optional(v.fallback(textFromAddress, '')),
})
export type ModelsSearch = v.InferOutput<typeof modelsSearch>
