import { type Channel, CHANNEL_STATUS } from '@sluice/contract/channel'
import { channelStatus, testState } from '~/features/channels/model/channel-status.ts'
import { channelTexts } from '~/features/channels/texts/channel-texts.ts'
import { formatDateTime } from '~/lib/format/date.ts'
import { formatLatency, latencyBand } from '~/lib/format/latency.ts'
import { formatCount, formatQuota } from '~/lib/format/quota.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { useSystemStatus } from '~/lib/status/system-status.ts'
import { Badge } from '~/ui/badge.tsx'
import { Spinner } from '~/ui/spinner.tsx'

export function ChannelBadge({ channel }: { channel: Channel }) {
  const t = useTexts(channelTexts)
  const { name, tone } = channelStatus(channel)
  const why =
    channel.status === CHANNEL_STATUS.autoDisabled
      ? channel.disabled_reason === ''
        ? t.disabledAutomatically
        : t.disabledBecause(channel.disabled_reason, formatDateTime(channel.disabled_time))
      : name === 'paused'
        ? t.pausedHint
        : undefined
  return (
    <span data-tip={why}>
      <Badge tone={tone}>{t.status[name]}</Badge>
    </span>
  )
}

const BAND_TONES = { fast: 'good', normal: 'warn', slow: 'bad' } as const

/** The result of the last test; `awaited` while a new result is pending. */
export function ResponseTime({ channel, awaited }: { channel: Channel; awaited: boolean }) {
  const t = useTexts(channelTexts)
  const last = testState(channel)
  if (awaited) {
    return (
      <span className="text-muted inline-flex items-center gap-1.5">
        <Spinner />
        {t.testing}
      </span>
    )
  }
  if (last.state === 'never') return <span className="text-muted">{t.notTested}</span>
  if (last.state === 'failed') return <Badge tone="bad">{t.testFailedShort}</Badge>
  const band = latencyBand(last.milliseconds)
  return (
    <span data-tip={`${t.latency[band]}\n${formatDateTime(channel.test_time)}`}>
      <Badge tone={BAND_TONES[band]}>{formatLatency(last.milliseconds)}</Badge>
    </span>
  )
}

/** What was charged through the channel: two decimals in the cell, six decimals and the raw points in the tooltip. */
export function SpentQuota({ quota }: { quota: number }) {
  const t = useTexts(channelTexts)
  const display = useSystemStatus()
  return (
    <span data-tip={`${formatQuota(quota, display, 6)}\n${t.points(formatCount(quota))}`}>
      {formatQuota(quota, display)}
    </span>
  )
}
