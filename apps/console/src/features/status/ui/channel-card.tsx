import type { ChannelHistory } from '@sluice/contract/channel-history'
import type { ChannelStatus } from '@sluice/contract/price-list'
import { formatDateTime } from '~/lib/format/date.ts'
import { formatLatency } from '~/lib/format/units.ts'
import { useTexts, useLocale } from '~/lib/i18n/i18n.ts'
import { Badge, type Tone } from '~/ui/badge.tsx'
import { Time } from '~/ui/time.tsx'
import { BAND_TONE, HEALTH_TONE, healthState, responseBand } from '../model/health-state.ts'
import { statusTexts } from '../texts/status-texts.ts'

export function ChannelCard({ channel }: { channel: ChannelStatus }) {
  const t = useTexts(statusTexts)
  const { name, response } = channel
  const state = healthState(channel)
  const band = responseBand(response.response_time_ms)
  return (
    <li className="border-line bg-surface flex min-w-0 flex-col gap-3 rounded-lg border p-4">
      <div className="flex items-start justify-between gap-3">
        <h2 className="min-w-0 truncate font-semibold" data-tip={name}>
          {name}
        </h2>
        <Badge tone={HEALTH_TONE[state]}>{t.states[state]}</Badge>
      </div>
      <dl className="grid grid-cols-[auto_1fr] items-center gap-x-4 gap-y-1.5 text-sm">
        <dt className="text-muted">{t.response}</dt>
        <dd className="flex items-center justify-end gap-2 tabular-nums">
          {band !== 'none' && formatLatency(response.response_time_ms)}
          <Badge tone={BAND_TONE[band]}>{t.bands[band]}</Badge>
        </dd>
        <dt className="text-muted">{t.tested}</dt>
        <dd className="text-end">{response.test_time === 0 ? t.never : <Time at={response.test_time} />}</dd>
        <dt className="text-muted">{t.created}</dt>
        <dd className="text-end">{response.created_time === 0 ? '–' : <Time at={response.created_time} />}</dd>
      </dl>
      {channel.history !== undefined && <HistoryBars history={channel.history} name={name} />}
    </li>
  )
}

/** The height conveys the same as the colour. */
const HEIGHTS: Readonly<Record<Tone, number>> = { good: 24, warn: 16, bad: 10, neutral: 3 }
const FILLS: Readonly<Record<Tone, string>> = {
  good: 'var(--good)',
  warn: 'var(--warn)',
  bad: 'var(--bad)',
  neutral: 'var(--control)',
}
const PITCH = 4

/** Bars show the share of requests that the channel answered; screen readers get a table of the periods with calls. */
function HistoryBars({ history, name }: { history: ChannelHistory; name: string }) {
  const t = useTexts(statusTexts)
  const locale = useLocale()
  const bars = barsOf(history)
  const [first] = bars
  const share = (answered: number | null) => (answered === null ? t.noCalls : formatShare(answered, locale))
  const time = ({ from, until }: Bar) => `${clock(from)} – ${clock(until)}`
  return (
    <figure className="flex flex-col gap-1.5">
      <svg
        aria-hidden="true"
        viewBox={`0 0 ${bars.length * PITCH - 1} 24`}
        preserveAspectRatio="none"
        className="h-6 w-full"
      >
        {bars.map((bar, at) => (
          <g key={bar.from} data-tip={`${time(bar)}: ${share(bar.answered)}`}>
            <rect x={at * PITCH} width={PITCH} height={24} fill="transparent" />
            <rect
              x={at * PITCH}
              y={24 - HEIGHTS[bar.tone]}
              width={3}
              height={HEIGHTS[bar.tone]}
              fill={FILLS[bar.tone]}
            />
          </g>
        ))}
      </svg>
      <figcaption className="text-muted flex justify-between gap-3 text-xs tabular-nums">
        <span>{first !== undefined && clock(first.from)}</span>
        <span>{history.answered === null ? t.noCalls : t.answered(share(history.answered))}</span>
        <span>{t.now}</span>
      </figcaption>
      <div className="sr-only">
        <table>
          <caption>{t.historyOf(name)}</caption>
          <thead>
            <tr>
              <th scope="col">{t.time}</th>
              <th scope="col">{t.share}</th>
            </tr>
          </thead>
          <tbody>
            {bars
              .filter(({ answered }) => answered !== null)
              .map((bar) => (
                <tr key={bar.from}>
                  <th scope="row">{time(bar)}</th>
                  <td>{share(bar.answered)}</td>
                </tr>
              ))}
          </tbody>
        </table>
      </div>
    </figure>
  )
}

/** To the minute, because bars begin and end at whole minutes. */
const clock = (at: number) => formatDateTime(at).slice(0, -3)

/** Times in unix seconds. */
interface Bar {
  readonly from: number
  readonly until: number
  /** Answered calls in thousandths; null without calls. */
  readonly answered: number | null
  readonly tone: Tone
}

/** In thousandths. A channel is good from this share on; below it, callers notice the failures. */
const GOOD = 990
const WARN = 950

export function toneOf(answered: number | null): Tone {
  if (answered === null) return 'neutral'
  if (answered >= GOOD) return 'good'
  return answered >= WARN ? 'warn' : 'bad'
}

export function barsOf({ from, step, bars }: ChannelHistory): readonly Bar[] {
  return bars.map((answered, at) => ({
    from: from + at * step,
    until: from + (at + 1) * step,
    answered,
    tone: toneOf(answered),
  }))
}

/** `99.8 %`, written as the language does. */
export function formatShare(thousandths: number, locale: string): string {
  return new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 }).format(thousandths / 1_000)
}
