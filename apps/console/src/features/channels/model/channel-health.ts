import type { ChannelCondition, ChannelHealth, LaneHealth } from '@sluice/contract/routing'
import type { Tone } from '~/ui/badge.tsx'

export const CONDITION_TONES: Readonly<Record<ChannelCondition, Tone>> = {
  healthy: 'good',
  slow: 'warn',
  recovering: 'warn',
  part_resting: 'warn',
  failing: 'bad',
  resting: 'bad',
}

export const LANE_TONES: Readonly<Record<LaneHealth['standing'], Tone>> = {
  ready: 'good',
  probe: 'warn',
  resting: 'bad',
}

/**
 * Moves cooldown ends to this machine's clock, `ahead` milliseconds ahead of the gateway's. Rounds to the second, so that they do
 * not jitter with the duration of each call.
 */
export function onOwnClock(health: ChannelHealth, ahead: number): ChannelHealth {
  return { ...moved(health, ahead), lanes: health.lanes.map((lane) => moved(lane, ahead)) }
}

function moved<Resting extends { readonly until?: number | undefined }>(resting: Resting, ahead: number): Resting {
  const { until } = resting
  return until === undefined ? resting : { ...resting, until: Math.round((until + ahead) / 1_000) * 1_000 }
}

/** `7%`, `0.4%`; a share above zero never reads as zero. */
export function shareText(share: number): string {
  const percent = share * 100
  return `${percent > 0 && percent < 10 ? Math.max(0.1, Math.round(percent * 10) / 10) : Math.round(percent)}%`
}
