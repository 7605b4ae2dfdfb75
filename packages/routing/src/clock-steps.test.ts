import { describe, expect, test } from 'vitest'
import type { CallCause } from './health.ts'
import { watchLanes } from './watch-lanes.ts'

const HOUR_MS = 3_600_000

describe('a clock that is set back by an hour', () => {
  test.each<[CallCause, number | undefined]>([
    ['limited', 60_000],
    ['limited', undefined],
    ['account', undefined],
    ['provider', undefined],
  ])('prolongs no cooldown beyond the longest possible: %s, asked for %s', (cause, askedMs) => {
    const lanes = watchLanes()
    for (let n = 0; n < 10; n++) lanes.call(cause, undefined, askedMs)
    expect(lanes.standing()).toMatchObject({ kind: 'resting' })
    lanes.now -= HOUR_MS
    expect(lanes.standing()).not.toMatchObject({ kind: 'resting' })
  })

  test('does not keep a lane that came back at a part of its load', () => {
    const lanes = watchLanes()
    lanes.calls(10, 'provider')
    lanes.outlast()
    lanes.call('answered')
    expect(lanes.standing()).toMatchObject({ kind: 'ready', share: 0.1 })
    lanes.now -= HOUR_MS
    expect(lanes.standing()).toMatchObject({ kind: 'ready', share: 1 })
  })
})
