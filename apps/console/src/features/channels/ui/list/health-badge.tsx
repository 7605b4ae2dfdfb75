import type { Channel } from '@sluice/contract/channel'
import type { ChannelHealth } from '@sluice/contract/routing'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { channelHealthQuery } from '~/features/channels/calls.ts'
import { CONDITION_TONES, shareText } from '~/features/channels/model/channel-health.ts'
import { channelRoutingTexts } from '~/features/channels/texts/routing-texts.ts'
import { minuteOf, timeOf } from '~/lib/format/date.ts'
import { formatCount } from '~/lib/format/quota.ts'
import { formatLatency } from '~/lib/format/units.ts'
import { useCall } from '~/lib/http/call.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { Badge } from '~/ui/badge.tsx'
import { useChannelLabel } from './use-channel-actions.ts'

export function HealthCell({ channel }: { channel: Channel }) {
  const t = useTexts(channelRoutingTexts)
  const health = useHealthOf(channel.id)
  const name = useChannelLabel()(channel)
  const text = useConditionText(minuteOf)
  const exact = useConditionText(timeOf)
  if (health === undefined) return <span className="text-muted">{t.unknown}</span>
  if (health === null) {
    return (
      <span className="text-muted" data-tip={t.noCallsHint}>
        {t.noCalls}
      </span>
    )
  }
  const facts = [
    health.condition === 'resting' ? exact(health) : '',
    health.failure_rate === 0 ? '' : t.failures(shareText(health.failure_rate)),
    health.first_byte_ms === undefined ? '' : t.firstByte(formatLatency(health.first_byte_ms)),
    health.open === 0 ? '' : t.open(formatCount(health.open)),
  ]
  return (
    <Link
      from="/channels"
      search={(previous) => ({ ...previous, health: channel.id, keys: undefined })}
      resetScroll={false}
      aria-label={`${t.healthOf(name)}: ${text(health)}`}
      data-tip={facts.filter(Boolean).join('\n') || undefined}
      className="inline-flex min-h-6 items-center rounded-full hover:underline"
    >
      <Badge tone={CONDITION_TONES[health.condition]}>{text(health)}</Badge>
    </Link>
  )
}

/** `moment` formats the end of the cooldown. */
export function useConditionText(moment: (unixMs: number) => string): (health: ChannelHealth) => string {
  const t = useTexts(channelRoutingTexts)
  return ({ condition, until, lane_count, resting }) => {
    if (condition === 'resting') return t.condition.resting(moment(until ?? 0))
    if (condition === 'part_resting') return t.condition.part_resting(String(resting), String(lane_count))
    return t.condition[condition]
  }
}

/** Pause between two polls while the page is visible, in milliseconds. */
export const LOOK_AGAIN_MS = 5_000

/** Polls the health of all channels; used once per page. */
export function useHealthFollowed(): void {
  useQuery({ ...channelHealthQuery(useCall()), refetchInterval: LOOK_AGAIN_MS, notifyOnChangeProps: [] })
}

/** Null when nothing was sent to the channel recently; undefined before the first reply, and after a failed poll. */
function useHealthOf(id: number): ChannelHealth | null | undefined {
  const { data, isError } = useQuery({
    ...channelHealthQuery(useCall()),
    enabled: false,
    select: (channels) => channels.find(({ channel }) => channel === id) ?? null,
  })
  return isError ? undefined : data
}
