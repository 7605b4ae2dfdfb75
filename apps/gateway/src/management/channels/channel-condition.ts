import type { ChannelHealth, LaneHealth } from '@sluice/contract/routing'
import type { ChannelLane } from './channel-ports.ts'

/** Share of failed calls at which a lane counts as failing. */
const FAILING_FROM = 0.2
/** A first byte that takes longer counts as slow: no model is expected to think this long before its first word. */
const SLOW_FROM_MS = 15_000

/** Summarises the lanes of one channel, at least one, and lists at most `shown` of them, worst first. */
export function channelHealthOf(lanes: readonly [ChannelLane, ...ChannelLane[]], shown: number): ChannelHealth {
  const [{ channel, channelName }] = lanes
  const ends = lanes.flatMap(({ standing }) => (standing.kind === 'resting' ? [standing.until] : []))
  const firstBytes = lanes.flatMap(({ firstByteMs }) => (firstByteMs === undefined ? [] : [Math.round(firstByteMs)]))
  return {
    channel,
    channel_name: channelName,
    condition: conditionOf(lanes, ends.length),
    ...(ends.length === 0 ? {} : { until: Math.min(...ends) }),
    lane_count: lanes.length,
    resting: ends.length,
    failure_rate: meanFailureRate(lanes),
    ...(firstBytes.length === 0 ? {} : { first_byte_ms: Math.max(...firstBytes) }),
    open: lanes.reduce((sum, lane) => sum + lane.open, 0),
    lanes: lanes.toSorted(worstFirst).slice(0, shown).map(laneOnWire),
  }
}

function conditionOf(lanes: readonly ChannelLane[], resting: number): ChannelHealth['condition'] {
  if (resting === lanes.length) return 'resting'
  if (resting > 0) return 'part_resting'
  if (lanes.some(isFailing)) return 'failing'
  if (lanes.some(({ standing }) => standing.kind === 'probe')) return 'recovering'
  return lanes.some(isSlow) ? 'slow' : 'healthy'
}

const isFailing = ({ failureRate }: ChannelLane) => failureRate >= FAILING_FROM
const isSlow = ({ firstByteMs = 0 }: ChannelLane) => firstByteMs >= SLOW_FROM_MS

/** The mean over the lanes, weighted by their calls, so that one call to a rare model does not speak for the others. */
function meanFailureRate(lanes: readonly ChannelLane[]): number {
  const calls = (lane: ChannelLane) => lane.answered + lane.failed
  const total = lanes.reduce((sum, lane) => sum + calls(lane), 0)
  return total === 0 ? 0 : lanes.reduce((sum, lane) => sum + lane.failureRate * calls(lane), 0) / total
}

function worstFirst(a: ChannelLane, b: ChannelLane): number {
  return rank(a) - rank(b) || b.failureRate - a.failureRate || (b.firstByteMs ?? 0) - (a.firstByteMs ?? 0)
}

const rank = ({ standing }: ChannelLane) => ({ resting: 0, probe: 1, ready: 2 })[standing.kind]

const windowOnWire = ({ name, used, resetsAt }: ChannelLane['windows'][number]) => ({ name, used, resets_at: resetsAt })

function laneOnWire(lane: ChannelLane): LaneHealth {
  const { standing, firstByteMs } = lane
  return {
    fingerprint: lane.key,
    key: lane.position,
    keys: lane.of,
    model: lane.model,
    standing: standing.kind,
    worth: standing.kind === 'ready' ? standing.score * standing.share : 0,
    ...(standing.kind === 'resting' ? { cause: standing.cause, until: standing.until } : {}),
    failure_rate: lane.failureRate,
    ...(firstByteMs === undefined ? {} : { first_byte_ms: Math.round(firstByteMs) }),
    open: lane.open,
    answered: lane.answered,
    failed: lane.failed,
    ...(lane.windows.length === 0 ? {} : { windows: lane.windows.map(windowOnWire) }),
  }
}
