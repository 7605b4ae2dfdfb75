import * as v from 'valibot'
import { textFromAddress } from '../../../lib/list/list-search.ts'

/** Page from 0 and a part of the channel's name. */
export interface StatusSearch {
  readonly p: number
  readonly keyword: string
}

/** What the address says while it says nothing. */
export const STATUS_DEFAULTS: StatusSearch = { p: 0, keyword: '' }

export const statusSearch = v.object({
  p: v.optional(v.fallback(v.pipe(v.number(), v.integer(), v.minValue(0)), 0), 0),
  keyword: v.optional(v.fallback(textFromAddress, ''), ''),
})
