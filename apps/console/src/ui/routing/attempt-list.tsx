import type { TraceAttempt } from '@sluice/contract/log'
import { clsx } from 'clsx'
import { timeOf } from '~/lib/format/date.ts'
import { formatLatency } from '~/lib/format/units.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { routingTexts } from './texts/routing-texts.ts'

interface AttemptListProps {
  readonly attempts: readonly TraceAttempt[]
  /** Length of the timeline, in milliseconds; longer attempts extend it. */
  readonly span: number
}

/** Attempts in order, each with its channel, duration and result, and the consequence for the channel. */
export function AttemptList({ attempts, span }: AttemptListProps) {
  const whole = Math.max(span, ...attempts.map(({ ended }) => ended))
  return (
    <ol className="flex flex-col gap-2.5">
      {attempts.map((attempt, index) => (
        <Attempt key={index} number={index + 1} attempt={attempt} span={whole} />
      ))}
    </ol>
  )
}

function Attempt({ number, attempt, span }: { number: number; attempt: TraceAttempt; span: number }) {
  const t = useTexts(routingTexts)
  const { channel, channel_name, group, key, started, ended, status, error, cause, said, rest } = attempt
  const why = cause === undefined || cause === 'answered' ? '' : t.cause[cause]
  return (
    <li className="grid grid-cols-[1fr_auto] gap-x-3 gap-y-1 text-sm">
      <span className="min-w-0 wrap-anywhere">
        {t.attempt(number)}
        {channel > 0 && (
          <span className="text-muted">
            {' '}
            {channel_name} #{channel}
            {group !== undefined && <> · {t.forGroup(group)}</>}
            {key !== undefined && <> · {t.keyAt(String(key))}</>}
          </span>
        )}
      </span>
      <span className="tabular-nums">{formatLatency(ended - started)}</span>
      <span className="col-span-2">
        <SpanBar span={span} start={started} duration={ended - started} tone={error === '' ? 'accent' : 'bad'} />
      </span>
      <span className="col-span-2 text-xs">
        <span className={error === '' ? 'text-good' : 'text-bad'}>
          {error === '' ? t.attemptOk : <code className="font-mono">{error}</code>}
        </span>
        <span className="text-muted"> · {status === 0 ? t.attemptNone : t.httpStatus(status)}</span>
        {why !== '' && <span className="block">{why}</span>}
        {said !== undefined && <span className="block wrap-anywhere">{t.said(said)}</span>}
        {rest !== undefined && <span className="block">{t.restGiven(timeOf(rest.until))}</span>}
      </span>
    </li>
  )
}

interface SpanBarProps {
  /** Length of the whole line, in milliseconds. */
  readonly span: number
  readonly start: number
  readonly duration: number
  readonly tone?: 'accent' | 'bad'
}

/** A bar of a waterfall, for the eye only: the figures next to it say the same. */
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

/** Position of an interval, as fractions of a line of length `span`. An interval too short to see gets half a percent. */
export function placeOn(
  span: number,
  start: number,
  duration: number,
): { readonly left: number; readonly width: number } {
  const left = Math.min(0.995, Math.max(0, start / span))
  return { left, width: Math.min(1 - left, Math.max(0.005, duration / span)) }
}
