import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createRateLimiter } from './rate-limit.ts'

const PERIOD = 1_000

describe('a rate limit', () => {
  test('lets no period see more than twice its limit, nor a longer stretch more than its share', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 20 }),
        fc.array(fc.nat(300), { minLength: 1, maxLength: 200 }),
        (limit, gaps) => {
          let time = 0
          const limiter = createRateLimiter({ capacity: 10, now: () => time })
          const accepted: number[] = []
          for (const gap of gaps) {
            time += gap
            if (limiter.take('key', { limit, periodMs: PERIOD }).allowed) accepted.push(time)
          }
          for (const [index, from] of accepted.entries()) {
            for (const [count, to] of accepted.slice(index).entries()) {
              expect(count + 1).toBeLessThanOrEqual(limit + 1e-6 + ((to - from) * limit) / PERIOD)
            }
          }
        },
      ),
    )
  })

  test('never refuses a caller that stays within it', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 50 }), fc.array(fc.nat(100), { maxLength: 100 }), (limit, extras) => {
        let time = 0
        const limiter = createRateLimiter({ capacity: 10, now: () => time })
        for (const extra of extras) {
          expect(limiter.take('key', { limit, periodMs: PERIOD })).toMatchObject({ allowed: true })
          time += PERIOD / limit + extra
        }
      }),
    )
  })

  test('a refused caller that waits as told is accepted, and not a moment earlier', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 20 }), fc.array(fc.nat(50), { maxLength: 60 }), (limit, gaps) => {
        let time = 0
        const limiter = createRateLimiter({ capacity: 10, now: () => time })
        const rule = { limit, periodMs: PERIOD }
        for (const gap of gaps) {
          time += gap
          const decision = limiter.take('key', rule)
          if (decision.allowed) continue
          time += decision.retryAfterMs - 1
          expect(limiter.take('key', rule).allowed).toBe(false)
          time += 1
          expect(limiter.take('key', rule).allowed).toBe(true)
        }
      }),
    )
  })

  test('what is given back can be taken again, and nothing more', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 20 }), fc.nat(20), (limit, returned) => {
        const limiter = createRateLimiter({ capacity: 10, now: () => 0 })
        const rule = { limit, periodMs: PERIOD }
        for (let n = 0; n < limit; n += 1) limiter.take('key', rule)
        for (let n = 0; n < returned; n += 1) limiter.giveBack('key', rule)
        let accepted = 0
        while (limiter.take('key', rule).allowed) accepted += 1
        expect(accepted).toBe(Math.min(limit, returned))
      }),
    )
  })
})
