import { formatCount } from '~/lib/format/quota.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { type ListSearch, PAGE_SIZES } from '~/lib/list/list-search.ts'
import { IconButton } from '../button.tsx'
import { Select } from '../field.tsx'
import { ChevronLeftIcon, ChevronRightIcon } from '../icons.tsx'
import { tableTexts } from './texts/table-texts.ts'

interface PagerProps {
  readonly search: Pick<ListSearch, 'p' | 'size'>
  readonly total: number
  readonly onSearch: (change: Partial<ListSearch>) => void
}

export function Pager({ search, total, onSearch }: PagerProps) {
  const t = useTexts(tableTexts)
  const { p, size } = search
  const from = Math.min(total, p * size + 1)
  const to = Math.min(total, (p + 1) * size)
  return (
    <nav
      aria-label={t.pagination}
      className="text-muted flex flex-wrap items-center justify-end gap-x-4 gap-y-2 text-sm"
    >
      <label className="flex items-center gap-2">
        <span className="max-sm:sr-only">{t.rowsPerPage}</span>
        <Select
          value={size}
          options={PAGE_SIZES.map((value) => ({ value: String(value), label: String(value) }))}
          onChange={(event) => {
            const chosen = PAGE_SIZES.find((value) => String(value) === event.target.value)
            if (chosen !== undefined) onSearch({ size: chosen, p: 0 })
          }}
        />
      </label>
      <span className="tabular-nums" aria-live="polite">
        {t.pageRange(formatCount(from), formatCount(to), formatCount(total))}
      </span>
      <span className="flex gap-1">
        <IconButton label={t.previousPage} tone="bordered" disabled={p === 0} onClick={() => onSearch({ p: p - 1 })}>
          <ChevronLeftIcon />
        </IconButton>
        <IconButton label={t.nextPage} tone="bordered" disabled={to >= total} onClick={() => onSearch({ p: p + 1 })}>
          <ChevronRightIcon />
        </IconButton>
      </span>
    </nav>
  )
}
