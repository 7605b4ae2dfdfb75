import type { ReactNode } from 'react'
import { useCommand } from '~/lib/commands.ts'
import { useIsBelow } from '~/lib/dom/use-media.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import type { ListSearch } from '~/lib/list/list-search.ts'
import { IconButton } from '../button.tsx'
import { SearchBox } from '../combobox/search-box.tsx'
import type { Suggestion } from '../combobox/use-suggestions.ts'
import { RefreshIcon } from '../icons.tsx'
import { useSearchKey } from '../search-frame.tsx'
import { SortSelect } from './sort-select.tsx'
import { tableTexts } from './texts/table-texts.ts'
import type { Column } from './use-list-table.ts'

interface ListToolbarProps<Row> {
  /** First part of the list's command ids: `tokens`. */
  readonly area: string
  readonly texts: { readonly group: string; readonly searchLabel: string; readonly searchCommand: string }
  readonly search: Pick<ListSearch, 'keyword' | 'sort' | 'order'>
  readonly onSearch: (change: Partial<ListSearch>) => void
  /** `undefined` when the request failed. */
  readonly load: (text: string, signal: AbortSignal) => Promise<readonly Suggestion[] | undefined>
  readonly onRefresh: () => unknown
  /** The action of `n`, the same as the page's button. */
  readonly add: { readonly label: string; readonly run: () => void }
  /** Columns to sort by even when a narrow window hides their headers; phones always offer this choice. */
  readonly sortBy?: readonly Column<Row>[]
  readonly children?: ReactNode
}

export function ListToolbar<Row>(props: ListToolbarProps<Row>) {
  const t = useTexts(tableTexts)
  const phone = useIsBelow('tablet')
  const { area, texts, search, onSearch, add } = props
  const { group } = texts
  const searchField = useSearchKey({ id: `${area}.search`, label: texts.searchCommand, group })
  useCommand({ id: `${area}.add`, label: add.label, group, keys: 'n', run: add.run })
  return (
    <>
      <SearchBox
        ref={searchField}
        label={texts.searchLabel}
        value={search.keyword}
        onSearch={(keyword) => onSearch({ keyword, p: 0 })}
        load={props.load}
      />
      {props.sortBy !== undefined && !phone && (
        <SortSelect columns={props.sortBy} search={search} onSearch={onSearch} />
      )}
      <span className="grow max-md:hidden" />
      {props.children}
      <IconButton label={t.refresh} tone="bordered" onClick={() => void props.onRefresh()}>
        <RefreshIcon />
      </IconButton>
    </>
  )
}
