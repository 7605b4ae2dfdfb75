import { clsx } from 'clsx'
import { placeOn } from './place-on.ts'

interface SpanBarProps {
  /** Length of the whole line, in milliseconds. */
  readonly span: number
  readonly start: number
  readonly duration: number
  readonly tone?: 'accent' | 'bad'
}

/** One bar of a waterfall. Visual only: the figures next to it say the same. */
export function SpanBar({ span, start, duration, tone = 'accent' }: SpanBarProps) {
  const { left, width } = placeOn(span, start, duration)
  return (
    <span aria-hidden="true" className="bg-line/60 relative block h-2 min-w-0 overflow-hidden rounded-full">
      <span
        className={clsx('absolute inset-y-0 min-w-0.5 rounded-full', tone === 'bad' ? 'bg-bad' : 'bg-accent')}
        style={{ left: `${left * 100}%`, width: `${width * 100}%` }}
      />
    </span>
  )
}
