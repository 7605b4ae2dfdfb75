import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { DecayedAverage } from './decayed-average.ts'

const HALF_LIFE = 1_000
const values = fc.array(fc.record({ value: fc.nat(1_000), gap: fc.nat(3_000) }), { minLength: 1, maxLength: 40 })

describe('a decayed average', () => {
  test('is the mean of all values, each counting half as much after each half-life', () => {
    fc.assert(
      fc.property(values, fc.nat(5_000), fc.integer({ min: 1, max: 9 }), (seen, later, doubts) => {
        const average = new DecayedAverage(HALF_LIFE)
        let now = 0
        const at = seen.map(({ value, gap }) => {
          now += gap
          average.add(value, now)
          return { value, now }
        })
        now += later
        const weights = at.map(({ now: then }) => 2 ** (-(now - then) / HALF_LIFE))
        const weight = weights.reduce((sum, each) => sum + each, 0)
        const sum = at.reduce((total, { value }, index) => total + value * (weights[index] ?? 0), 0)
        expect(average.weight(now)).toBeCloseTo(weight, 6)
        expect(average.mean).toBeCloseTo(sum / weight, 6)
        expect(average.meanAmong(doubts, now)).toBeCloseTo(sum / (weight + doubts), 6)
      }),
    )
  })

  test('stays between the smallest and the largest value, also when the clock is set back', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(100), fc.nat(10_000)), { minLength: 1 }), (seen) => {
        const average = new DecayedAverage(HALF_LIFE)
        for (const [value, now] of seen) average.add(value, now)
        const only = seen.map(([value]) => value)
        expect(average.mean).toBeGreaterThanOrEqual(Math.min(...only) - 1e-9)
        expect(average.mean).toBeLessThanOrEqual(Math.max(...only) + 1e-9)
      }),
    )
  })

  test('knows nothing once cleared, nor before the first value', () => {
    const average = new DecayedAverage(HALF_LIFE)
    expect([average.mean, average.weight(5)]).toEqual([0, 0])
    average.add(7, 5)
    average.clear()
    expect([average.mean, average.weight(5)]).toEqual([0, 0])
  })
})
