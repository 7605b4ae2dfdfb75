import { type Failure, successOf } from '../http/call.ts'
import type { QuerySpec } from '../query/queries.ts'
import { type ListSearch, pageQueryOf } from './list-search.ts'

export interface ListPage<Row> {
  readonly rows: readonly Row[]
  readonly total: number
}

export type RowSearch = Pick<ListSearch, 'p' | 'size' | 'sort' | 'order' | 'keyword'>

type PageQuery = ReturnType<typeof pageQueryOf>
type Rows<Row> = { readonly ok: true; readonly data: readonly Row[]; readonly total: number }

interface ListCalls<Row> {
  /** First part of the rows' query keys: `tokens`. */
  readonly area: string
  readonly list: (query: PageQuery, signal: AbortSignal) => Promise<Rows<Row> | Failure>
  readonly find: (query: PageQuery & { readonly keyword: string }, signal: AbortSignal) => Promise<Rows<Row> | Failure>
  /** Written to the browser's console when the call fails. */
  readonly note?: string
}

export function listsOf(area: string) {
  return [area, 'list'] as const
}

/** With a keyword, only rows that match it. */
export function listQuery<Row>(
  { area, list, find, note }: ListCalls<Row>,
  { p, size, sort, order, keyword }: RowSearch,
): QuerySpec<ListPage<Row>> {
  const page = pageQueryOf({ p, size, sort, order })
  return {
    queryKey: [...listsOf(area), { p, size, sort, order, keyword }],
    queryFn: async ({ signal }) => {
      const reply = keyword === '' ? await list(page, signal) : await find({ ...page, keyword }, signal)
      return pageOf(successOf(reply, note))
    },
  }
}

/** Servers of the family return search results without a total. */
export function pageOf<Row>({ data, total }: Rows<Row>): ListPage<Row> {
  return { rows: data, total: Math.max(total, data.length) }
}

export const MOST_SUGGESTIONS = 10

export function suggestionQuery(keyword: string): { readonly keyword: string; readonly size: string } {
  return { keyword, size: String(MOST_SUGGESTIONS) }
}

/** `undefined` when the call failed. */
export function suggestionsOf<Row, Suggestion>(
  reply: { readonly ok: true; readonly data: readonly Row[] } | Failure,
  suggest: (row: Row) => Suggestion,
): Suggestion[] | undefined {
  return reply.ok ? reply.data.map(suggest) : undefined
}

/** Rows per call, and calls at most: a thousand rows, which is also the most that can be selected. */
const SIZE = 100
const CALLS = 10

/** The rows of all pages, up to a thousand. Rejects when a page cannot be loaded, and when the signal aborts. */
export async function everyRow<Row>(
  queryOf: (page: { readonly p: number; readonly size: typeof SIZE }) => QuerySpec<ListPage<Row>>,
  signal: AbortSignal,
): Promise<readonly Row[]> {
  const found: Row[] = []
  for (let p = 0; p < CALLS; p++) {
    signal.throwIfAborted()
    const { rows, total } = await queryOf({ p, size: SIZE }).queryFn({ signal })
    found.push(...rows)
    if (rows.length === 0 || found.length >= total) break
  }
  signal.throwIfAborted()
  return found
}
