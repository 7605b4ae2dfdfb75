import type { ChannelStatus } from '@sluice/contract/price-list'
import { formatLatency } from '~/lib/format/latency.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { Badge } from '~/ui/badge.tsx'
import { Time } from '~/ui/time.tsx'
import { BAND_TONE, HEALTH_TONE, healthState, responseBand } from '../model/health-state.ts'
import { statusTexts } from '../texts/status-texts.ts'
import { HistoryBars } from './history-bars.tsx'

/** One channel: whether it accepts requests, and the result of its last test. */
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
