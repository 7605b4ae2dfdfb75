import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { CallWindow } from './call-window.ts'

const calls = fc.array(fc.record({ failed: fc.boolean(), gap: fc.nat(8_000) }), { minLength: 1, maxLength: 60 })

describe('the window of calls', () => {
  test('counts the calls of this slot of five seconds and the five before it, and no others', () => {
    fc.assert(
      fc.property(calls, fc.nat(40_000), fc.integer({ min: 1, max: 8 }), (seen, later, least) => {
        const window = new CallWindow()
        let now = 1_800_000_000_000
        const at = seen.map(({ failed, gap }) => {
          now += gap
          window.countCall(now)
          if (failed) window.countFailure(now)
          return { failed, slot: Math.floor(now / 5_000) }
        })
        now += later
        const inside = at.filter(({ slot }) => slot > Math.floor(now / 5_000) - 6)
        const failures = inside.filter(({ failed }) => failed).length
        expect(window.failureRate(now, least)).toBe(inside.length < least ? 0 : failures / inside.length)
      }),
    )
  })

  test('keeps counting when the clock is set back', () => {
    const window = new CallWindow()
    for (const now of [100_000, 20_000]) {
      window.countCall(now)
      window.countFailure(now)
    }
    expect(window.failureRate(100_000, 2)).toBe(1)
  })

  test('is empty once cleared', () => {
    const window = new CallWindow()
    window.countCall(100_000)
    window.countFailure(100_000)
    window.clear()
    expect(window.failureRate(100_000, 1)).toBe(0)
  })
})
