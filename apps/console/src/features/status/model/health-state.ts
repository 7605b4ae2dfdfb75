import type { ChannelStatus } from '@sluice/contract/price-list'
import { latencyBand } from '~/lib/format/units.ts'
import type { Tone } from '~/ui/badge.tsx'

export type HealthState = 'enabled' | 'manually_disabled' | 'auto_disabled' | 'unknown'

/** Enabled only if both fields say so; a newer server's value is unknown. */
export function healthState({ status, enabled }: Pick<ChannelStatus, 'status' | 'enabled'>): HealthState {
  if (status === 'enabled') return enabled ? 'enabled' : 'unknown'
  return status === 'manually_disabled' || status === 'auto_disabled' ? status : 'unknown'
}

export const HEALTH_TONE: Readonly<Record<HealthState, Tone>> = {
  enabled: 'good',
  manually_disabled: 'neutral',
  auto_disabled: 'bad',
  unknown: 'warn',
}

export type ResponseBand = 'none' | 'fast' | 'normal' | 'slow'

/** Bands the duration of the last test. 0 (no test, or a failed one) and unknown durations are in no band. */
export function responseBand(milliseconds: number): ResponseBand {
  return milliseconds > 0 ? latencyBand(milliseconds) : 'none'
}

export const BAND_TONE: Readonly<Record<ResponseBand, Tone>> = {
  none: 'neutral',
  fast: 'good',
  normal: 'warn',
  slow: 'bad',
}
