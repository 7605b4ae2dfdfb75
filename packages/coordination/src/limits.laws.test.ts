import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createMemoryLimits, type LimitClaim } from './limits.ts'

const PERIOD = 60_000

function open(share = 1) {
  const clock = { time: 0 }
  const limits = createMemoryLimits({ capacity: 100, now: () => clock.time, shareOf: () => share })
  const take = (...claims: LimitClaim[]) => limits.take(claims)
  return { clock, take, correct: (claim: LimitClaim) => limits.correct(claim) }
}

const claimOf = (key: string, limit: number, cost: number): LimitClaim => ({
  key,
  rule: { limit, periodMs: PERIOD },
  cost,
})
const limits = fc.integer({ min: 1, max: 1_000 })

describe('limits that count costs', () => {
  test('let no stretch of time see more than the limit and its share of it, except for one claim above the limit', () => {
    const asks = fc.array(fc.record({ gap: fc.nat(20_000), cost: fc.integer({ min: 1, max: 500 }) }), { maxLength: 60 })
    fc.assert(
      fc.property(limits, asks, (limit, all) => {
        const { clock, take } = open()
        const counted: { readonly at: number; readonly cost: number }[] = []
        for (const { gap, cost } of all) {
          clock.time += gap
          const within = Math.min(cost, limit)
          if (take(claimOf('a', limit, within))[0]?.allowed === true) counted.push({ at: clock.time, cost: within })
        }
        for (const [index, { at: from }] of counted.entries()) {
          let sum = 0
          for (const { at, cost } of counted.slice(index)) {
            sum += cost
            expect(sum).toBeLessThanOrEqual(limit + ((at - from) * limit) / PERIOD + 1e-6)
          }
        }
      }),
    )
  })

  test('let the same claim through after the wait that they report, and not a moment earlier', () => {
    const cost = fc.integer({ min: 1, max: 3_000 })
    fc.assert(
      fc.property(limits, fc.array(cost, { minLength: 1, maxLength: 20 }), cost, (limit, before, requests) => {
        const { clock, take } = open()
        for (const each of before) take(claimOf('a', limit, each))
        const [refused] = take(claimOf('a', limit, requests))
        if (refused?.allowed !== false) return
        clock.time += refused.retryAfterMs - 1
        expect(take(claimOf('a', limit, requests))[0]?.allowed).toBe(false)
        clock.time += 1
        expect(take(claimOf('a', limit, requests))[0]?.allowed).toBe(true)
      }),
    )
  })

  test('end up the same with a correction as with the right cost at once', () => {
    const costs = fc.array(fc.record({ estimate: fc.nat(400), truth: fc.nat(400) }), { maxLength: 10 })
    fc.assert(
      fc.property(costs, (all) => {
        const [estimated, exact] = [open(), open()]
        for (const { estimate, truth } of all) {
          estimated.correct(claimOf('a', 100_000, estimate))
          estimated.correct(claimOf('a', 100_000, truth - estimate))
          exact.correct(claimOf('a', 100_000, truth))
        }
        const [left, right] = [estimated, exact].map(({ take }) => take(claimOf('a', 100_000, 0))[0])
        expect(Math.abs((left?.remaining ?? 0) - (right?.remaining ?? 1))).toBeLessThanOrEqual(1)
      }),
    )
  })

  test('count all claims of a request or none', () => {
    const asks = fc.array(fc.record({ key: fc.nat(3), cost: fc.integer({ min: 1, max: 40 }) }), { maxLength: 40 })
    fc.assert(
      fc.property(asks, (all) => {
        const { take } = open()
        const left = new Map<string, number>()
        for (const { key, cost } of all) {
          const claims = [claimOf('all', 100, cost), claimOf(`own ${key}`, 50, cost)]
          const fits = claims.every((claim) => (left.get(claim.key) ?? claim.rule.limit) >= claim.cost)
          expect(take(...claims).every(({ allowed }) => allowed)).toBe(fits)
          if (!fits) continue
          for (const claim of claims) left.set(claim.key, (left.get(claim.key) ?? claim.rule.limit) - claim.cost)
        }
        for (const [key, remaining] of left) {
          expect(take(claimOf(key, key === 'all' ? 100 : 50, 0))[0]?.remaining).toBe(remaining)
        }
      }),
    )
  })

  test('let as much through over all shares as the whole limit', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 10, max: 500 }), (replicas, limit) => {
        const all = Array.from({ length: replicas }, () => open(1 / replicas))
        let counted = 0
        for (const { take } of all) while (take(claimOf('a', limit, 1))[0]?.allowed === true) counted += 1
        expect(counted).toBeLessThanOrEqual(limit)
        expect(counted).toBeGreaterThan(limit - replicas)
      }),
    )
  })
})
