import { formatCount } from '~/lib/format/quota.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { IconButton } from '~/ui/button.tsx'
import { ChevronLeftIcon, ChevronRightIcon } from '~/ui/icons.tsx'
import { pageNumbers } from '../model/page-numbers.ts'
import { statusTexts } from '../texts/status-texts.ts'

interface PageButtonsProps {
  /** From 0. */
  readonly current: number
  readonly pages: number
  readonly onPage: (page: number) => void
}

/** Links to other pages: up to five of them by number. */
export function PageButtons({ current, pages, onPage }: PageButtonsProps) {
  const t = useTexts(statusTexts)
  return (
    <nav aria-label={t.pages} className="flex flex-wrap items-center justify-center gap-1">
      <IconButton label={t.previous} tone="bordered" disabled={current === 0} onClick={() => onPage(current - 1)}>
        <ChevronLeftIcon />
      </IconButton>
      {pageNumbers(current, pages).map((page) => (
        <button
          key={page}
          type="button"
          aria-label={t.page(formatCount(page + 1))}
          aria-current={page === current ? 'page' : undefined}
          onClick={() => onPage(page)}
          className="hover:bg-hover aria-[current=page]:bg-accent-soft aria-[current=page]:text-accent h-8 min-w-8 rounded-md px-2 text-sm font-medium tabular-nums max-md:h-10 max-md:min-w-10"
        >
          {formatCount(page + 1)}
        </button>
      ))}
      <IconButton label={t.next} tone="bordered" disabled={current >= pages - 1} onClick={() => onPage(current + 1)}>
        <ChevronRightIcon />
      </IconButton>
    </nav>
  )
}
