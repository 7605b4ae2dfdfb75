import * as v from 'valibot'

export const PAGE_SIZES = [10, 20, 50, 100] as const
export type PageSize = (typeof PAGE_SIZES)[number]
const DEFAULT_PAGE_SIZE = 10

export const SORT_ORDERS = ['asc', 'desc'] as const
export type SortOrder = (typeof SORT_ORDERS)[number]

/** The part of a list's state that is in the address. `p` is the page, from 0; `keyword` the search text. */
export interface ListSearch {
  readonly p: number
  readonly size: PageSize
  readonly sort: string
  readonly order: SortOrder
  readonly keyword: string
}

/** These values are left out of the address. */
export const LIST_DEFAULTS: ListSearch = { p: 0, size: DEFAULT_PAGE_SIZE, sort: '', order: 'desc', keyword: '' }

/** The router parses `?keyword=42` as a number, which this turns back into text. */
export const textFromAddress = v.pipe(v.union([v.string(), v.number(), v.boolean()]), v.transform(String))

/** Any column name, because only the table and the server know which columns can be sorted. */
const columnName = v.pipe(v.string(), v.regex(/^[a-z_]{0,40}$/))

/** Invalid parameters fall back to defaults, so that old or hand-made addresses still work. */
export function listSearchEntries() {
  return {
    p: v.optional(v.fallback(v.pipe(v.number(), v.integer(), v.minValue(0)), LIST_DEFAULTS.p), LIST_DEFAULTS.p),
    size: v.optional(v.fallback(v.pipe(v.number(), v.picklist(PAGE_SIZES)), DEFAULT_PAGE_SIZE), DEFAULT_PAGE_SIZE),
    sort: v.optional(v.fallback(columnName, ''), ''),
    order: v.optional(v.fallback(v.picklist(SORT_ORDERS), LIST_DEFAULTS.order), LIST_DEFAULTS.order),
    keyword: v.optional(v.fallback(textFromAddress, ''), ''),
  }
}

export function pageQueryOf(search: Omit<ListSearch, 'keyword'>) {
  return {
    p: String(search.p),
    size: String(search.size),
    sort: search.sort,
    order: search.sort === '' ? ('' as const) : search.order,
  }
}
