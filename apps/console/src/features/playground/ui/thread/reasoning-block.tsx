import { clsx } from 'clsx'
import { type ReactNode, useId, useState } from 'react'
import { threadTexts } from '~/features/playground/texts/thread-texts.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { ChevronRightIcon } from '~/ui/icons.tsx'

interface ReasoningBlockProps {
  readonly live: boolean
  /** Whether there is an answer next to the block, which then folds automatically unless the reader chose otherwise. */
  readonly answered: boolean
  readonly children: ReactNode
}

export function ReasoningBlock({ live, answered, children }: ReasoningBlockProps) {
  const t = useTexts(threadTexts)
  const id = useId()
  const [chosen, setChosen] = useState<boolean>()
  const open = chosen ?? !answered
  return (
    <div className="mb-3">
      <button
        type="button"
        aria-expanded={open}
        aria-controls={id}
        onClick={() => setChosen(!open)}
        className="text-muted hover:text-ink -ms-1 flex min-h-6 items-center gap-1 rounded pe-1 text-sm"
      >
        <span className={clsx('transition-transform', open && 'rotate-90')}>
          <ChevronRightIcon />
        </span>
        <span className={clsx(live && !answered && 'animate-pulse')}>{live ? t.reasoningLive : t.reasoning}</span>
      </button>
      <div id={id} hidden={!open} dir="auto" className="border-line text-muted mt-1 ms-1.5 border-s-2 ps-3 text-sm">
        {open && children}
      </div>
    </div>
  )
}
