import { charge } from '@sluice/ledger/pricing'
import { describe, expect, it } from 'vitest'
import { USERS } from './cast.ts'
import { channelCalls } from './channel-calls.ts'
import { type Consumer, makeHistory, type PastRequest, type Seller } from './history.ts'
import { seededRandom } from './random.ts'
import { DAY_MS } from './rhythm.ts'

const NOW = Date.UTC(2026, 10, 20, 12)
const DAYS = 28
const RATES = { input: 10n ** 9n, cachedInput: 10n ** 8n, cacheWrite5m: 0n, cacheWrite1h: 0n, output: 3n * 10n ** 9n }

const consumers: readonly Consumer[] = USERS.flatMap((user, userAt) =>
  user.tokens.flatMap((token, tokenAt) => {
    if (token.use === undefined) return []
    const ids = {
      userId: userAt + 1,
      tokenId: userAt * 10 + tokenAt + 1,
      account: userAt + 1,
      limitAccount: 100 + tokenAt,
    }
    return [{ ...ids, username: user.username, tokenName: token.name, use: token.use }]
  }),
)
const seller = (channelId: number): Seller => ({
  channelId,
  channelName: `channel ${channelId}`,
  priceOf: () => ({ rates: RATES, groupRatio: 1_000_000n, source: `channel:${channelId}` }),
})
const make = (seed = 1): PastRequest[] =>
  makeHistory({
    now: NOW,
    days: DAYS,
    requestsPerDay: 300,
    consumers,
    sellersOf: () => [seller(1), seller(2)],
    random: seededRandom(seed),
  })

const history = make()
const settlements = history.flatMap((request) => (request.outcome === 'charged' ? [request.settlement] : []))
const ofToken = (name: string) => settlements.filter((settlement) => settlement.log.tokenName === name)
const timeOf = (settlement: (typeof settlements)[number]) => new Date(settlement.trace.received)

describe('a made-up history', () => {
  it('is the same for the same seed and another for another', () => {
    expect(make()).toEqual(history)
    expect(make(2)).not.toEqual(history)
  })

  it('has about as many requests as asked for, in order, none in the future', () => {
    expect(history.length / DAYS).toBeGreaterThan(220)
    expect(history.length / DAYS).toBeLessThan(400)
    const received = settlements.map((settlement) => settlement.trace.received)
    expect(received).toEqual(received.toSorted((a, b) => a - b))
    expect(Math.max(...received)).toBeLessThan(NOW)
    expect(Math.min(...received)).toBeGreaterThanOrEqual(NOW - DAYS * DAY_MS)
  })

  it('charges what its tokens cost', () => {
    for (const { amount, tokens, price } of settlements) expect(amount).toBe(charge(tokens, price))
  })

  it('gives every request an id of its own that sorts by time', () => {
    const ids = settlements.map((settlement) => settlement.requestId)
    expect(new Set(ids).size).toBe(ids.length)
    expect(ids.every((id) => /^[0-9a-f]{12}7[0-9a-f]{3}[89ab][0-9a-f]{15}$/.test(id))).toBe(true)
    const moments = ids.map((id) => id.slice(0, 12))
    expect(moments).toEqual(moments.toSorted())
  })

  it('works in office hours, rests at weekends, runs batches at night, and grows', () => {
    const office = ofToken('ide').map(timeOf)
    const weekend = office.filter((time) => [0, 6].includes(time.getUTCDay()))
    expect(weekend.length).toBeLessThan(office.length / 20)
    const night = ofToken('translations').map(timeOf)
    expect(night.filter((time) => time.getUTCHours() >= 2 && time.getUTCHours() <= 4)).toHaveLength(night.length)
    const middle = NOW - (DAYS / 2) * DAY_MS
    const late = settlements.filter((settlement) => settlement.trace.received > middle)
    expect(late.length / settlements.length).toBeGreaterThan(0.53)
  })

  it('has sessions of the tokens that agents use, of several calls each, and of no others', () => {
    const named = settlements.filter(({ log }) => log.session !== '')
    expect(new Set(named.map(({ log }) => log.tokenName))).toEqual(new Set(['ide', 'notebook']))
    expect(named.every(({ log }) => /^[\w-]{22}$/.test(log.session))).toBe(true)
    const sessions = new Set(named.map(({ log }) => log.session)).size
    expect(sessions).toBeGreaterThan(50)
    expect(named.length / sessions).toBeGreaterThan(3)
  })

  it('contains failures, second attempts and answers that broke off', () => {
    const failed = history.filter((request) => request.outcome === 'failed')
    expect(failed.length).toBeGreaterThan(0)
    expect(failed.length).toBeLessThan(history.length / 20)
    expect(settlements.some((settlement) => settlement.channelId === 2)).toBe(true)
    expect(new Set(settlements.map((settlement) => settlement.log.ended))).toEqual(
      new Set(['complete', 'client_gone', 'upstream_broken']),
    )
  })

  it('has timelines whose stages follow each other', () => {
    for (const { trace } of settlements) {
      const { received, forwarded, firstUpstream, firstClient, upstreamCompleted, completed } = trace
      const stages = [received, forwarded, firstUpstream, firstClient, upstreamCompleted, completed]
      expect(stages.slice(0, 3)).toEqual(stages.slice(0, 3).toSorted((a, b) => a - b))
      expect(completed).toBeGreaterThan(upstreamCompleted)
    }
  })

  it('counts each call to a channel once, including those that failed first', () => {
    const calls = channelCalls(history)
    const sum = (of: 'answered' | 'failed') => calls.reduce((total, each) => total + each[of], 0)
    expect(sum('answered')).toBe(settlements.length)
    expect(sum('failed')).toBeGreaterThan(50)
    expect(new Set(calls.map(({ channelId, start }) => `${channelId} ${start}`)).size).toBe(calls.length)
    expect(calls.every(({ start }) => start % 300 === 0)).toBe(true)
  })
})
