import type { ChannelHistory } from '@sluice/contract/channel-history'
import { formatDateTime } from '~/lib/format/date.ts'
import { useLocale, useTexts } from '~/lib/i18n/i18n.ts'
import type { Tone } from '~/ui/badge.tsx'
import { type Bar, barsOf, formatShare } from '../model/answered-share.ts'
import { statusTexts } from '../texts/status-texts.ts'

/** Height says the same as colour. */
const HEIGHTS: Readonly<Record<Tone, number>> = { good: 24, warn: 16, bad: 10, neutral: 3 }
const FILLS: Readonly<Record<Tone, string>> = {
  good: 'var(--good)',
  warn: 'var(--warn)',
  bad: 'var(--bad)',
  neutral: 'var(--control)',
}
const PITCH = 4

/** The share of requests to a channel that it answered, as bars; for screen readers, a table of the periods with calls. */
export function HistoryBars({ history, name }: { history: ChannelHistory; name: string }) {
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

/** To the minute: bars begin and end at whole minutes. */
const clock = (at: number) => formatDateTime(at).slice(0, -3)
