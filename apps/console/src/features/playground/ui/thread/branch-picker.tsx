import type { Row } from '~/features/playground/model/rows.ts'
import { threadTexts } from '~/features/playground/texts/thread/thread-texts.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { IconButton } from '~/ui/button.tsx'
import { ChevronLeftIcon, ChevronRightIcon } from '~/ui/icons.tsx'
import { useThreadActions } from './thread-actions.ts'

type BranchPickerProps = Pick<Row, 'place' | 'places' | 'previous' | 'next'> & {
  readonly column: number
  readonly barred: string | undefined
}

/** Steps through the alternatives to one message: other replies, other wordings of a question. */
export function BranchPicker({ column, place, places, previous, next, barred }: BranchPickerProps) {
  const t = useTexts(threadTexts)
  const { showBranch } = useThreadActions()
  return (
    <div role="group" aria-label={t.branches} className="flex items-center">
      <IconButton
        label={t.previousBranch}
        barred={barred}
        aria-disabled={previous === undefined}
        onClick={() => previous !== undefined && showBranch(column, previous)}
      >
        <ChevronLeftIcon />
      </IconButton>
      <span className="text-muted text-xs tabular-nums">
        <span className="sr-only">{t.branch(String(place), String(places))}</span>
        <span aria-hidden="true">
          {place}/{places}
        </span>
      </span>
      <IconButton
        label={t.nextBranch}
        barred={barred}
        aria-disabled={next === undefined}
        onClick={() => next !== undefined && showBranch(column, next)}
      >
        <ChevronRightIcon />
      </IconButton>
    </div>
  )
}
