import * as v from 'valibot'

/** Rows per page that lists offer. */
export const PAGE_SIZES = [10, 20, 50, 100] as const
export type PageSize = (typeof PAGE_SIZES)[number]
/** Default number of rows per page. */
const DEFAULT_PAGE_SIZE = 10

export const SORT_ORDERS = ['asc', 'desc'] as const
export type SortOrder = (typeof SORT_ORDERS)[number]

/** What every list keeps in the address: page from 0, size, sort column and order, search text. */
export interface ListSearch {
  readonly p: number
  readonly size: PageSize
  readonly sort: string
  readonly order: SortOrder
  readonly keyword: string
}

/** The list's state while the address says nothing; these values are left out of the address. */
export const LIST_DEFAULTS: ListSearch = { p: 0, size: DEFAULT_PAGE_SIZE, sort: '', order: 'desc', keyword: '' }

/** The router parses `?keyword=42` as a number; a search text turns it back into text. */
export const textFromAddress = v.pipe(v.union([v.string(), v.number(), v.boolean()]), v.transform(String))

/** Any column name: the table and the server know which ones can be sorted, not the address. */
const columnName = v.pipe(v.string(), v.regex(/^[a-z_]{0,40}$/))

/** Schema entries of a list's search parameters. Invalid ones fall back to defaults: old or hand-made addresses still work. */
export function listSearchEntries() {
  return {
    p: v.optional(v.fallback(v.pipe(v.number(), v.integer(), v.minValue(0)), LIST_DEFAULTS.p), LIST_DEFAULTS.p),
    size: v.optional(v.fallback(v.pipe(v.number(), v.picklist(PAGE_SIZES)), DEFAULT_PAGE_SIZE), DEFAULT_PAGE_SIZE),
    sort: v.optional(v.fallback(columnName, ''), ''),
    order: v.optional(v.fallback(v.picklist(SORT_ORDERS), LIST_DEFAULTS.order), LIST_DEFAULTS.order),
    keyword: v.optional(v.fallback(textFromAddress, ''), ''),
  }
}

/** The paging part of the query string of a list call. Servers of the family count pages from 0. */
export function pageQueryOf(search: Omit<ListSearch, 'keyword'>) {
  return {
    p: String(search.p),
    size: String(search.size),
    sort: search.sort,
    order: search.sort === '' ? ('' as const) : search.order,
  }
}
