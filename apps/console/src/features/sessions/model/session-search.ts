import * as v from 'valibot'
import { LIST_DEFAULTS, listSearchEntries } from '~/lib/list/list-search.ts'

const list = listSearchEntries()

/** The keyword is the token name. */
export const sessionSearch = v.object({
  ...list,
  /** Ignored without `logs.all`. */
  username: list.keyword,
  /** Start of the page, as the previous page reported it; empty for the first. */
  after: list.keyword,
})
export type SessionSearch = v.InferOutput<typeof sessionSearch>

export const SESSION_DEFAULTS = { ...LIST_DEFAULTS, username: '', after: '' } as const
