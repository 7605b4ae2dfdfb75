import { HISTORY_RANGES, type HistoryRange } from '@sluice/contract/history-range'
import * as v from 'valibot'
import { textFromAddress } from '~/lib/list/list-search.ts'

/** `p` is the page, from 0; `keyword` a part of the channel's name; `range` the period whose calls are shown. */
export interface StatusSearch {
  readonly p: number
  readonly keyword: string
  readonly range: HistoryRange
}

export const STATUS_DEFAULTS: StatusSearch = { p: 0, keyword: '', range: 'day' }

export const statusSearch = v.object({
  p: v.optional(v.fallback(v.pipe(v.number(), v.integer(), v.minValue(0)), 0), 0),
  keyword: v.optional(v.fallback(textFromAddress, ''), ''),
  range: v.optional(v.fallback(v.picklist(HISTORY_RANGES), 'day'), 'day'),
})
