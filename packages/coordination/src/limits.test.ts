import { describe, expect, test } from 'vitest'
import { createMemoryLimits, type LimitClaim } from './limits.ts'

const REQUESTS = { limit: 3, periodMs: 60_000 }
const TOKENS = { limit: 1_000, periodMs: 60_000 }

const claim = (key: string, rule: LimitClaim['rule'], cost: number): LimitClaim => ({ key, rule, cost })
const open = (share = 1) => {
  const clock = { time: 0 }
  const limits = createMemoryLimits({ capacity: 100, now: () => clock.time, shareOf: () => share })
  return {
    clock,
    take: async (...claims: LimitClaim[]) => limits.take(claims),
    correct: (of: LimitClaim) => limits.correct(of),
  }
}

describe('limits in memory', () => {
  test('count several claims at once, and report what is left of each', async () => {
    const { take } = open()
    const decisions = await take(claim('r', REQUESTS, 1), claim('t', TOKENS, 400))
    expect(decisions).toEqual([
      { allowed: true, remaining: 2, resetMs: 20_000, retryAfterMs: 0 },
      { allowed: true, remaining: 600, resetMs: 24_000, retryAfterMs: 0 },
    ])
  })

  test('count nothing when one claim is refused, and say which', async () => {
    const { take } = open()
    await take(claim('t', TOKENS, 900))
    const refused = await take(claim('r', REQUESTS, 1), claim('t', TOKENS, 400))
    expect(refused).toEqual([
      { allowed: true, remaining: 3, resetMs: 0, retryAfterMs: 0 },
      { allowed: false, remaining: 100, resetMs: 54_000, retryAfterMs: 18_000 },
    ])
    expect((await take(claim('r', REQUESTS, 3)))[0]?.allowed).toBe(true)
  })

  test('let a claim above the whole limit through when nothing is used, and pay it off', async () => {
    const { take, clock } = open()
    expect((await take(claim('t', TOKENS, 2_500)))[0]).toMatchObject({ allowed: true, remaining: 0, resetMs: 150_000 })
    clock.time = 89_000
    expect((await take(claim('t', TOKENS, 1)))[0]).toMatchObject({ allowed: false, retryAfterMs: 1_060 })
    clock.time = 91_000
    expect((await take(claim('t', TOKENS, 1)))[0]?.allowed).toBe(true)
  })

  test('never block a key longer than ten periods, however wrong the claim', async () => {
    const { take, correct } = open()
    expect((await take(claim('t', TOKENS, 1e12)))[0]?.resetMs).toBe(600_000)
    correct(claim('t', TOKENS, 1e12))
    expect((await take(claim('t', TOKENS, 0)))[0]?.resetMs).toBe(600_000)
  })

  test('take a correction in both directions', async () => {
    const { take, correct } = open()
    await take(claim('t', TOKENS, 900))
    correct(claim('t', TOKENS, -800))
    expect((await take(claim('t', TOKENS, 0)))[0]?.remaining).toBe(900)
    correct(claim('t', TOKENS, 1_200))
    expect((await take(claim('t', TOKENS, 1)))[0]).toMatchObject({ allowed: false, remaining: 0 })
  })

  test('enforce no more than their share of a limit, and report the whole', async () => {
    const { take } = open(1 / 4)
    expect((await take(claim('t', TOKENS, 50)))[0]).toMatchObject({ allowed: true, remaining: 800 })
    expect((await take(claim('t', TOKENS, 201)))[0]?.allowed).toBe(false)
    expect((await take(claim('t', TOKENS, 200)))[0]).toMatchObject({ allowed: true, remaining: 0 })
  })

  test('let one request of each replica through where a limit is smaller than the number of replicas, at the limit over time', async () => {
    const { take, clock } = open(1 / 4)
    const one = { limit: 1, periodMs: 60_000 }
    expect((await take(claim('r', one, 1)))[0]?.allowed).toBe(true)
    clock.time = 239_000
    expect((await take(claim('r', one, 1)))[0]).toMatchObject({ allowed: false, retryAfterMs: 1_000 })
    clock.time = 240_000
    expect((await take(claim('r', one, 1)))[0]?.allowed).toBe(true)
  })

  test('continue at their pace when the clock is set back', async () => {
    const { clock, take } = open()
    clock.time = 86_400_000
    await take(claim('r', REQUESTS, 3))
    clock.time -= 3_600_000
    expect(await take(claim('r', REQUESTS, 1))).toMatchObject([{ allowed: false, retryAfterMs: 20_000 }])
    clock.time += 20_000
    expect(await take(claim('r', REQUESTS, 1))).toMatchObject([{ allowed: true }])
  })
})
