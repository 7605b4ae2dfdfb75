import { describe, expect, it } from 'vitest'
import { channelHealthOf } from './channel-condition.ts'
import type { ChannelLane } from './channel-ports.ts'

const READY: ChannelLane = {
  channel: 7,
  channelName: 'ours',
  key: 'f1',
  position: 1,
  of: 2,
  model: 'm',
  standing: { kind: 'ready', score: 1, share: 1, open: 0 },
  failureRate: 0,
  firstByteMs: 300.4,
  open: 1,
  answered: 9,
  failed: 0,
  windows: [],
}
const RESTING: ChannelLane = {
  ...READY,
  key: 'f2',
  position: 2,
  standing: { kind: 'resting', cause: 'limited', until: 5_000, hasTrial: false },
}
const conditionOf = (...lanes: [ChannelLane, ...ChannelLane[]]) => channelHealthOf(lanes, 5).condition

describe('the condition of a channel', () => {
  it('is that of its lanes, the worst thing first', () => {
    expect(conditionOf(READY)).toBe('healthy')
    expect(conditionOf(READY, { ...READY, firstByteMs: 20_000 })).toBe('slow')
    expect(conditionOf(READY, { ...READY, standing: { kind: 'probe' }, firstByteMs: 20_000 })).toBe('recovering')
    expect(conditionOf({ ...READY, failureRate: 0.3 }, { ...READY, standing: { kind: 'probe' } })).toBe('failing')
    expect(conditionOf({ ...READY, failureRate: 0.3 }, RESTING)).toBe('part_resting')
    expect(conditionOf(RESTING)).toBe('resting')
    expect(conditionOf({ ...READY, firstByteMs: undefined })).toBe('healthy')
  })

  it('shows when the first of its cooldowns ends, what is under way, and how long the slowest lane takes', () => {
    const later = {
      ...RESTING,
      standing: { kind: 'resting', cause: 'account', until: 9_000, hasTrial: false },
    } as const
    expect(channelHealthOf([READY, later, { ...RESTING, firstByteMs: 900.6 }], 5)).toMatchObject({
      channel: 7,
      channel_name: 'ours',
      until: 5_000,
      lane_count: 3,
      resting: 2,
      first_byte_ms: 901,
      open: 3,
    })
    expect(channelHealthOf([READY], 5)).not.toHaveProperty('until')
    expect(channelHealthOf([{ ...READY, firstByteMs: undefined }], 5)).not.toHaveProperty('first_byte_ms')
  })

  it('weights failures by calls, so that one call on a rare model does not speak for the others', () => {
    const rare = { ...READY, model: 'rare', failureRate: 1, answered: 0, failed: 1 }
    expect(channelHealthOf([{ ...READY, answered: 99 }, rare], 5).failure_rate).toBeCloseTo(0.01)
    expect(channelHealthOf([{ ...READY, answered: 0 }], 5).failure_rate).toBe(0)
  })

  it('lists the worst lanes first, and no more than requested', () => {
    const failing = { ...READY, model: 'failing', failureRate: 0.5 }
    const slow = { ...READY, model: 'slow', firstByteMs: 4_000 }
    const { lanes, lane_count } = channelHealthOf([READY, slow, failing, { ...RESTING, model: 'cooling' }], 3)
    expect(lanes.map(({ model }) => model)).toEqual(['cooling', 'failing', 'slow'])
    expect(lane_count).toBe(4)
    expect(lanes[0]).toMatchObject({
      fingerprint: 'f2',
      key: 2,
      keys: 2,
      standing: 'resting',
      cause: 'limited',
      until: 5_000,
    })
    expect(lanes[1]).toMatchObject({ standing: 'ready', worth: 1, failure_rate: 0.5 })
  })

  it('shows what the provider says is used of the key’s account, where it says something', () => {
    const windows = [{ name: '5h', used: 0.42, resetsAt: 9_000 }]
    const shown = (lane: ChannelLane) => channelHealthOf([lane], 5).lanes[0]
    expect(shown({ ...READY, windows })?.windows).toEqual([{ name: '5h', used: 0.42, resets_at: 9_000 }])
    expect(shown(READY)).not.toHaveProperty('windows')
  })
})
