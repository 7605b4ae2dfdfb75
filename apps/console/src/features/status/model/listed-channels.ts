import type { ChannelStatus, ChannelSummary } from '@sluice/contract/price-list'
import { healthState } from './health-state.ts'

/** The channels whose name contains the text, ignoring case; all for an empty text. */
export function channelsNamed(channels: readonly ChannelStatus[], text: string): readonly ChannelStatus[] {
  const wanted = text.trim().toLowerCase()
  return channels.filter(({ name }) => name.toLowerCase().includes(wanted))
}

export function summaryOf(channels: readonly ChannelStatus[]): ChannelSummary {
  const states = Map.groupBy(channels, healthState)
  const count = (state: ReturnType<typeof healthState>) => states.get(state)?.length ?? 0
  const times = (states.get('enabled') ?? []).map(({ response }) => response.response_time_ms).filter((ms) => ms > 0)
  return {
    channels: channels.length,
    enabled: count('enabled'),
    manually_disabled: count('manually_disabled'),
    auto_disabled: count('auto_disabled'),
    average_response_ms: times.length === 0 ? 0 : Math.round(times.reduce((sum, ms) => sum + ms, 0) / times.length),
  }
}
