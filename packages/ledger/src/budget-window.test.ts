import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { BUDGET_PERIODS, MS_PER_DAY, windowEnd, windowStart } from './budget-window.ts'

const ms = (text: string): number => Date.parse(text)

describe('the window of a budget', () => {
  it.each([
    ['day', '2024-02-29T23:59:59.999Z', '2024-02-29T00:00Z', '2024-03-01T00:00Z'],
    ['day', '2024-03-01T00:00:00Z', '2024-03-01T00:00Z', '2024-03-02T00:00Z'],
    // 2025-11-17 is a Monday.
    ['week', '2025-11-17T00:00:00Z', '2025-11-17T00:00Z', '2025-11-24T00:00Z'],
    ['week', '2025-11-23T23:59:59.999Z', '2025-11-17T00:00Z', '2025-11-24T00:00Z'],
    ['week', '2026-01-01T12:00:00Z', '2025-12-29T00:00Z', '2026-01-05T00:00Z'],
    ['month', '2024-02-29T12:00:00Z', '2024-02-01T00:00Z', '2024-03-01T00:00Z'],
    ['month', '2025-12-31T23:59:59.999Z', '2025-12-01T00:00Z', '2026-01-01T00:00Z'],
  ] as const)('of a %s at %s is from %s to before %s', (period, at, start, end) => {
    expect([windowStart(period, ms(at)), windowEnd(period, ms(at))]).toEqual([ms(start), ms(end)])
  })

  it('contains its moment, begins and ends at midnight, and the next one begins where it ends', () => {
    const moment = fc.integer({ min: ms('1970-01-05'), max: ms('2200-01-01') })
    fc.assert(
      fc.property(fc.constantFrom(...BUDGET_PERIODS), moment, (period, at) => {
        const [start, end] = [windowStart(period, at), windowEnd(period, at)]
        expect(start).toBeLessThanOrEqual(at)
        expect(end).toBeGreaterThan(at)
        expect([start % MS_PER_DAY, end % MS_PER_DAY]).toEqual([0, 0])
        expect(windowStart(period, start)).toBe(start)
        expect(windowStart(period, end - 1)).toBe(start)
        expect(windowStart(period, end)).toBe(end)
      }),
    )
  })
})
