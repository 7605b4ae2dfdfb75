import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { everyRow, type ListPage, type RowSearch } from '~/lib/list/list-query.ts'
import type { ListSearch } from '~/lib/list/list-search.ts'
import type { QuerySpec } from '~/lib/query/queries.ts'

interface ListPageOptions<Row> {
  readonly search: RowSearch
  /** Changes the address; other parameters keep their values. */
  readonly onSearch: (change: Partial<ListSearch>) => void
  readonly queryOf: (search: RowSearch) => QuerySpec<ListPage<Row>>
}

/**
 * The previous page stays while another loads. `table` and `toolbar` are props of `<ListTable>` and `<ListToolbar>`; `every` loads
 * the rows of all pages.
 */
export function useListPage<Row extends { readonly id: number }>(options: ListPageOptions<Row>) {
  const { search, onSearch, queryOf } = options
  const query = useQuery({ ...queryOf(search), placeholderData: keepPreviousData })
  return {
    query,
    table: { query, search, onSearch, rowId: ({ id }: Row) => String(id) },
    toolbar: { search, onSearch, onRefresh: query.refetch },
    every: (signal: AbortSignal) => everyRow((page) => queryOf({ ...search, ...page }), signal),
  }
}
