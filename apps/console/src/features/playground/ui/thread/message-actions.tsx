import { clsx } from 'clsx'
import { useSyncExternalStore } from 'react'
import type { Row } from '~/features/playground/model/rows.ts'
import { threadTexts } from '~/features/playground/texts/thread-texts.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { Button, IconButton } from '~/ui/button.tsx'
import { CopyIcon } from '~/ui/icon.tsx'
import { EditIcon, RefreshIcon, TrashIcon, ChevronLeftIcon, ChevronRightIcon } from '~/ui/icons.tsx'
import { usePlayground } from '../use-playground.ts'
import { useThreadActions } from './use-actions.tsx'

interface MessageActionsProps extends Omit<Row, 'key'> {
  readonly column: number
}

export function MessageActions({ column, message, answers, ...branch }: MessageActionsProps) {
  const t = useTexts(threadTexts)
  const actions = useThreadActions()
  const barred = useBusy() ? t.whileStreaming : undefined
  const failed = message.role === 'error'
  const again = () => actions.regenerate(column, message.id)
  return (
    <div
      className={clsx(
        'flex items-center',
        message.role === 'assistant' && '-ms-1.5',
        message.role === 'user' && '@max-xl:-me-1.5',
      )}
    >
      {branch.places > 1 && <BranchPicker column={column} barred={barred} {...branch} />}
      {failed && (
        <span className="me-1.5">
          <Button size="small" disabled={barred !== undefined || !answers} onClick={again}>
            <RefreshIcon />
            {t.retry}
          </Button>
        </span>
      )}
      <IconButton label={t.copy} onClick={() => actions.copy(message)}>
        <CopyIcon />
      </IconButton>
      {message.role === 'assistant' && (
        <IconButton label={t.regenerate} barred={answers ? barred : t.noQuestion} onClick={again}>
          <RefreshIcon />
        </IconButton>
      )}
      {!failed && (
        <IconButton label={t.edit} barred={barred} onClick={() => actions.edit(column, message)}>
          <EditIcon />
        </IconButton>
      )}
      <IconButton label={t.remove} barred={barred} onClick={() => actions.remove(message.id)}>
        <TrashIcon />
      </IconButton>
    </div>
  )
}

function useBusy(): boolean {
  const playground = usePlayground()
  return useSyncExternalStore(playground.subscribe, () => playground.get().busy)
}

type BranchPickerProps = Pick<Row, 'place' | 'places' | 'previous' | 'next'> & {
  readonly column: number
  readonly barred: string | undefined
}

/** Steps through the alternatives to a message: other replies, other wordings of a question. */
function BranchPicker({ column, place, places, previous, next, barred }: BranchPickerProps) {
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
