import { describe, expect, test } from 'vitest'
import { createRateLimiter } from './rate-limit.ts'

const RULE = { limit: 2, periodMs: 1_000 }

describe('a rate limiter', () => {
  test('counts each key on its own', () => {
    const limiter = createRateLimiter({ capacity: 10, now: () => 0 })
    const allowed = ['a', 'a', 'a', 'b'].map((key) => limiter.take(key, RULE).allowed)
    expect(allowed).toEqual([true, true, false, true])
  })

  test('never holds more keys than its capacity, and refuses new ones when all are in use', { tags: 'S28' }, () => {
    const limiter = createRateLimiter({ capacity: 100, now: () => 0 })
    const decisions = Array.from({ length: 10_000 }, (_, n) => limiter.take(`key ${n}`, RULE))
    expect(decisions.filter((decision) => decision.allowed).length).toBe(100)
    expect(limiter.size).toBe(100)
    expect(decisions.at(-1)).toMatchObject({ allowed: false, retryAfterMs: 500 })
  })

  test('keeps the limit of a known key while the table is full', { tags: 'S28' }, () => {
    const limiter = createRateLimiter({ capacity: 3, now: () => 0 })
    for (const key of ['a', 'b', 'c', 'flood']) limiter.take(key, RULE)
    const allowed = ['a', 'a'].map((key) => limiter.take(key, RULE).allowed)
    expect(allowed).toEqual([true, false])
  })

  test('makes room for new keys when old ones are unused again', () => {
    let time = 0
    const limiter = createRateLimiter({ capacity: 100, now: () => time })
    for (let n = 0; n < 100; n += 1) limiter.take(`old ${n}`, RULE)
    time = 500
    const allowed = Array.from({ length: 100 }, (_, n) => limiter.take(`new ${n}`, RULE).allowed)
    expect(allowed).toEqual(allowed.map(() => true))
    expect(limiter.size).toBeLessThanOrEqual(100)
  })

  test('a flood of refused keys leaves nothing behind', { tags: 'S28' }, () => {
    const limiter = createRateLimiter({ capacity: 10, now: () => 0 })
    for (let n = 0; n < 3; n += 1) limiter.take('same', RULE)
    expect(limiter.size).toBe(1)
  })
})
