import type { Log, Trace, TraceAttempt } from '@sluice/contract/log'
import { Link } from '@tanstack/react-router'
import { formatLatency } from '../../../lib/format/latency.ts'
import { useTexts } from '../../../lib/i18n/i18n.ts'
import { RoutingWay } from '../../../ui/routing/routing-way.tsx'
import { routingTexts } from '../../../ui/routing/texts/routing-texts.ts'
import { timeOf } from '../../../ui/routing/time-of.ts'
import { timeline } from '../model/timeline.ts'
import { logTexts } from '../texts/log-texts.ts'
import { SpanBar } from './span-bar.tsx'
import { PanelSection } from './trace-details.tsx'

/** Why the request went where it went, and what became of every try. */
export function RequestWay({ trace, row }: { trace: Trace; row: Log | undefined }) {
  const { routing, attempts } = trace
  // One try that went well is told by the timeline.
  const isTold = attempts.length > 1 || attempts.some(({ rest }) => rest !== undefined)
  return (
    <>
      {routing !== undefined && <Why routing={routing} url={trace.url} row={row} />}
      {isTold && <Attempts trace={trace} />}
    </>
  )
}

interface WhyProps {
  readonly routing: NonNullable<Trace['routing']>
  readonly url: string
  readonly row: Log | undefined
}

function Why({ routing, url, row }: WhyProps) {
  const t = useTexts(logTexts)
  const model = row?.origin_model_name || row?.model_name
  return (
    <PanelSection title={t.why}>
      <RoutingWay
        decision={routing}
        nameOf={({ channel, channel_name }) => (
          <Link to="/channels/edit/$id" params={{ id: channel }} className="text-accent hover:underline">
            {channel_name || t.noName}
          </Link>
        )}
      />
      {row !== undefined && model !== undefined && (
        <p className="mt-3 text-sm">
          <Link
            to="/channels/explain"
            search={{ model, user: row.user_id, path: url }}
            className="text-accent hover:underline"
          >
            {t.whyNow}
          </Link>
        </p>
      )}
    </PanelSection>
  )
}

function Attempts({ trace }: { trace: Trace }) {
  const t = useTexts(logTexts)
  // The same line as above, so that one sees which attempt took which part of the time.
  const span = Math.max(timeline(trace).span, ...trace.attempts.map(({ ended }) => ended))
  return (
    <PanelSection title={t.attempts}>
      <ol className="flex flex-col gap-2.5">
        {trace.attempts.map((attempt, index) => (
          <Attempt key={index} number={index + 1} attempt={attempt} span={span} />
        ))}
      </ol>
    </PanelSection>
  )
}

function Attempt({ number, attempt, span }: { number: number; attempt: TraceAttempt; span: number }) {
  const t = useTexts(logTexts)
  const routing = useTexts(routingTexts)
  const { channel, channel_name, key, started, ended, status, error, cause, rest } = attempt
  const why = cause === undefined || cause === 'answered' ? '' : routing.cause[cause]
  return (
    <li className="grid grid-cols-[1fr_auto] gap-x-3 gap-y-1 text-sm">
      <span className="min-w-0 wrap-anywhere">
        {t.attempt(number)}
        {channel > 0 && (
          <span className="text-muted">
            {' '}
            {channel_name} #{channel}
            {key !== undefined && <> · {routing.keyAt(String(key))}</>}
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
        {rest !== undefined && <span className="block">{routing.restGiven(timeOf(rest.until))}</span>}
      </span>
    </li>
  )
}
