import * as v from 'valibot'
import { LIST_DEFAULTS, listSearchEntries } from '../../../lib/list/list-search.ts'

const list = listSearchEntries()
const { keyword: text } = list

/** The page's part of the address. */
export const sessionSearch = v.object({
  ...list,
  /** Where the page begins: what the page before it said; empty for the first. */
  after: text,
  token: text,
  /** Ignored without `logs.all`. */
  username: text,
})
export type SessionSearch = v.InferOutput<typeof sessionSearch>

/** Left out of the address. */
export const SESSION_DEFAULTS = { ...LIST_DEFAULTS, after: '', token: '', username: '' } as const
