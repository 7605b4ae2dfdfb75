import * as v from 'valibot'
import { LIST_DEFAULTS, listSearchEntries } from '../../../lib/list/list-search.ts'
import { textParameter } from '../../../lib/navigation/exact-search.ts'

/** The page's part of the address. */
export const sessionSearch = v.object({
  ...listSearchEntries(),
  /** Where the page begins: what the page before it said; empty for the first. */
  after: textParameter,
  token: textParameter,
  /** Ignored without `logs.all`. */
  username: textParameter,
})
export type SessionSearch = v.InferOutput<typeof sessionSearch>

/** Left out of the address. */
export const SESSION_DEFAULTS = { ...LIST_DEFAULTS, after: '', token: '', username: '' } as const
