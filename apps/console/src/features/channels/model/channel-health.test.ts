import type { ChannelHealth } from '@sluice/contract/routing'
import { describe, expect, it } from 'vitest'
import { onOwnClock, shareText } from './channel-health.ts'

const health: ChannelHealth = {
  channel: 1,
  channel_name: 'c',
  condition: 'resting',
  until: 1_000_400,
  lane_count: 1,
  resting: 1,
  failure_rate: 1,
  open: 0,
  lanes: [
    {
      fingerprint: 'f',
      key: 1,
      keys: 1,
      model: 'm',
      standing: 'resting',
      worth: 0,
      cause: 'failing',
      until: 1_000_400,
      failure_rate: 1,
      open: 0,
      answered: 0,
      failed: 3,
    },
  ],
}

describe('health of channels', () => {
  it('is shown on the visitor’s clock, and does not change when calls take slightly longer or shorter', () => {
    const slowCall = onOwnClock(health, 60_000 + 90)
    expect(slowCall).toEqual(onOwnClock(health, 60_000 - 90))
    expect(slowCall).toMatchObject({ until: 1_060_000, lanes: [{ until: 1_060_000 }] })
  })

  it('has no end of a cooldown when no lane is in cooldown', () => {
    const { until: _until, ...healthy } = health
    expect(onOwnClock({ ...healthy, lanes: [] }, 5)).toEqual({ ...healthy, lanes: [] })
  })

  it.each([
    [0, '0%'],
    [0.0001, '0.1%'],
    [0.034, '3.4%'],
    [0.126, '13%'],
    [1, '100%'],
  ])('shows a share of %d as %s', (share, text) => {
    expect(shareText(share)).toBe(text)
  })
})
