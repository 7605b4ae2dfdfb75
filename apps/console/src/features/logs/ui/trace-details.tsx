import type { Trace } from '@sluice/contract/log'
import { type ReactNode, useId } from 'react'
import { formatDateTime } from '~/lib/format/date.ts'
import { formatBytes, formatLatency } from '~/lib/format/units.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { Badge } from '~/ui/badge.tsx'
import { CopyText } from '~/ui/copy-button.tsx'
import { Fact } from '~/ui/fact.tsx'
import { SpanBar } from '~/ui/routing/attempt-list.tsx'
import { timeline } from '../model/request/timeline.ts'
import { logTexts } from '../texts/log-texts.ts'

/** How long the confirmation of a copied id is shown, in milliseconds. */
export const COPIED_MS = 2_000
const FIRST_HTTP_FAILURE = 400

export function RequestInfo({ trace, children }: { trace: Trace; children?: ReactNode }) {
  const t = useTexts(logTexts)
  return (
    <PanelSection title={t.request}>
      <dl className="grid grid-cols-[8rem_minmax(0,1fr)] gap-x-3 gap-y-1.5 text-sm">
        <Fact name={t.url}>
          <code className="font-mono text-xs wrap-anywhere">{trace.url}</code>
        </Fact>
        <Fact name={t.method}>{trace.method}</Fact>
        <Fact name={t.status}>
          <Badge tone={trace.status === 0 || trace.status >= FIRST_HTTP_FAILURE ? 'bad' : 'good'}>
            {String(trace.status)}
          </Badge>
        </Fact>
        <Fact name={t.requestSize}>{formatBytes(trace.body_size)}</Fact>
        <Fact name={t.user}>{trace.log.username}</Fact>
        <Fact name={t.traceId}>
          <CopyText text={trace.trace_id} label={t.copyTraceId} shownFor={COPIED_MS} />
        </Fact>
        <Fact name={t.logId}>
          <CopyText text={String(trace.log.id)} label={t.copyLogId} shownFor={COPIED_MS} />
        </Fact>
      </dl>
      {children}
    </PanelSection>
  )
}

export function StageTimeline({ trace }: { trace: Trace }) {
  const t = useTexts(logTexts)
  const { stages, total, span } = timeline(trace)
  return (
    <PanelSection title={t.timeline}>
      <ol className="flex flex-col gap-2.5">
        {stages.map(({ name, start, duration }) => (
          <li key={name} className="grid grid-cols-[1fr_auto] gap-x-3 gap-y-1 text-sm">
            <span>
              {t.stages[name]} <span className="text-muted text-xs">{t.stageAt(formatLatency(start))}</span>
            </span>
            <span className="tabular-nums">{formatLatency(duration)}</span>
            <span className="col-span-2">
              <SpanBar span={span} start={start} duration={duration} />
            </span>
          </li>
        ))}
      </ol>
      <dl className="border-line mt-3 flex items-baseline justify-between gap-3 border-t pt-2 text-sm font-semibold">
        <dt>{t.totalTime}</dt>
        <dd className="tabular-nums">{total === undefined ? t.unfinished : formatLatency(total)}</dd>
      </dl>
      <Moments trace={trace} />
    </PanelSection>
  )
}

const MOMENTS = [
  'request_received',
  'request_forwarded',
  'first_upstream_response',
  'first_client_response',
  'upstream_completed',
  'request_completed',
] as const satisfies readonly (keyof Trace['timestamps'])[]

/** To the millisecond; marks timestamps that the request never reached. */
function Moments({ trace: { timestamps } }: { trace: Trace }) {
  const t = useTexts(logTexts)
  return (
    <details className="mt-2 text-xs" open>
      <summary className="text-muted w-fit cursor-pointer select-none">{t.moments}</summary>
      <dl className="mt-1 grid grid-cols-[1fr_auto] gap-x-3 gap-y-0.5 tabular-nums">
        {MOMENTS.map((moment) => {
          const at = timestamps[moment]
          return (
            <Fact key={moment} name={t.momentNames[moment]}>
              {at === undefined ? t.notReached : exactTime(at)}
            </Fact>
          )
        })}
      </dl>
    </details>
  )
}

export function PanelSection({ title, children }: { title: string; children: ReactNode }) {
  const titleId = useId()
  return (
    <section aria-labelledby={titleId} className="border-line border-b py-4 first:pt-0 last:border-b-0">
      <h3 id={titleId} className="mb-2.5 font-semibold">
        {title}
      </h3>
      {children}
    </section>
  )
}

/** To the millisecond. Takes unix milliseconds. */
function exactTime(unixMs: number): string {
  return `${formatDateTime(unixMs / 1_000)}.${String(unixMs % 1_000).padStart(3, '0')}`
}
