import * as v from 'valibot'
import { LIST_DEFAULTS, listSearchEntries } from '~/lib/list/list-search.ts'

const list = listSearchEntries()

/** The page's part of the address. The keyword is the token name. */
export const sessionSearch = v.object({
  ...list,
  /** Ignored without `logs.all`. */
  username: list.keyword,
  /** Where the page begins, as the previous page reported; empty for the first. */
  after: list.keyword,
})
export type SessionSearch = v.InferOutput<typeof sessionSearch>

/** Left out of the address. */
export const SESSION_DEFAULTS = { ...LIST_DEFAULTS, username: '', after: '' } as const
