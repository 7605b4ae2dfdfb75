import { useTexts } from '~/lib/i18n/i18n.ts'
import type { ListSearch, SortOrder } from '~/lib/list/list-search.ts'
import { IconButton } from '../button.tsx'
import { Select } from '../field.tsx'
import { SortDownIcon, SortUpIcon } from '../icons.tsx'
import { tableTexts } from './texts/table-texts.ts'

interface SortSelectProps {
  readonly columns: ReadonlyArray<{ readonly id: string; readonly header: string; readonly sortable?: boolean }>
  readonly search: Pick<ListSearch, 'sort' | 'order'>
  readonly onSearch: (change: Partial<ListSearch>) => void
}

/** For phones, which have no table header to press. */
export function SortSelect({ columns, search, onSearch }: SortSelectProps) {
  const t = useTexts(tableTexts)
  const options = columns.filter((column) => column.sortable).map(({ id, header }) => ({ value: id, label: header }))
  const other: SortOrder = search.order === 'asc' ? 'desc' : 'asc'
  return (
    <div className="flex min-w-0 items-center gap-1">
      <Select
        aria-label={t.sortBy}
        options={[{ value: '', label: t.sortBy }, ...options]}
        value={search.sort}
        onChange={(event) => onSearch({ sort: event.target.value, p: 0 })}
      />
      <IconButton
        label={search.order === 'asc' ? t.ascending : t.descending}
        tone="bordered"
        disabled={search.sort === ''}
        onClick={() => onSearch({ order: other, p: 0 })}
      >
        {search.order === 'asc' ? <SortUpIcon /> : <SortDownIcon />}
      </IconButton>
    </div>
  )
}
