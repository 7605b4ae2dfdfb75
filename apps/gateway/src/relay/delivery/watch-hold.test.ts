import { openDeltaText } from '@sluice/dialects/canon/delta-text'
import type { HoldAnswer } from '@sluice/ledger/ledger'
import type { Settlement } from '@sluice/ledger/operation'
import { type Mq, mq } from '@sluice/ledger/units'
import { expect, test } from 'vitest'
import { plainCounts } from '../calls/parsed-call.ts'
import type { Answered } from '../stages/answered.ts'
import { openWatch } from './watch-hold.ts'

const NANO = 1_000_000_000n
const rates = { input: NANO, cachedInput: NANO, cacheWrite5m: NANO, cacheWrite1h: NANO, output: NANO }
/** On the pulse's clock, which has no date. */
const START = 1_000_000
const RECEIVED = Date.UTC(2026, 10, 22)

/** A stream with at most 16 prompt tokens; every token costs one quota point. */
function watched({ hold, open = true, answer = 'held' }: { hold: number; open?: boolean; answer?: HoldAnswer }) {
  const extended: Mq[] = []
  const renewed: Settlement[] = []
  const call = { paused: false, cancelled: '' }
  const answered = {
    accepted: { id: 'r1', received: RECEIVED, path: '/v1/chat/completions', method: 'POST', headers: {} },
    session: '',
    body: Buffer.alloc(10),
    identity: { account: 1, limitAccount: 2, userId: 3, tokenId: 4, username: 'ann', tokenName: 't' },
    parsed: {
      model: 'm',
      stream: true,
      promptBytes: 0,
      hasText: true,
      bound: () => ({ counts: plainCounts(16, 0), open: true }),
      ownCounts: ({ prompt, output }: { prompt: number; output: number }) => plainCounts(prompt, output),
    },
    candidate: {
      upstreamModel: 'm',
      route: { channel: { id: 5, name: 'c' }, key: { fingerprint: '', position: 1, of: 1 } },
      quote: { rates, tiers: [], source: 'channel', context: undefined, maxOutput: undefined },
      groupRatio: 1_000_000n,
    },
    hold: { amount: mq(BigInt(hold) * 1_000n), open, pending: undefined },
    attempts: [],
    laneCall: { started: START },
    client: { isFull: false, firstByte: START },
    call: {
      status: 200,
      completed: 0,
      firstUpstream: START,
      pause: () => void (call.paused = true),
      resume: () => void (call.paused = false),
      cancel: (reason: string) => void (call.cancelled = reason),
    },
  } as unknown as Answered
  const text = openDeltaText()
  const deps = {
    ledger: {
      extend: (_: string, amount: Mq) => {
        extended.push(amount)
        return Promise.resolve(answer)
      },
      renew: (progress: Settlement) => {
        renewed.push(progress)
        return Promise.resolve()
      },
    },
    pulse: { now: () => START, add: () => () => {} },
    now: () => START,
    onError: () => {},
  }
  const watch = openWatch(deps, answered, text)
  /** Delivers this many bytes of text, three of which count as a token. */
  const deliver = (bytes: number) => {
    const event = Buffer.from(`data: {"choices":[{"delta":{"content":"${'x'.repeat(bytes)}"}}]}\n\n`)
    text.add(event)
    watch.count(event.length)
  }
  return { watch, deliver, extended, renewed, call }
}

const settled = () => new Promise((resolve) => setImmediate(resolve))

test('the hold is doubled before it is used up', async () => {
  const { watch, deliver, extended, call } = watched({ hold: 100 })
  deliver(90)
  watch.beat(START + 1_000)
  expect(extended).toEqual([])
  deliver(90)
  watch.beat(START + 2_000)
  await settled()
  expect(extended).toEqual([200_000n])
  expect(call.paused).toBe(false)
})

test('a stream that a budget cuts off says which budget, and when it resets', async () => {
  const over = { period: 'week', resetsMs: Date.UTC(2025, 10, 24) } as const
  const { watch, deliver, call } = watched({ hold: 100, answer: { reason: 'user_budget', over } })
  deliver(900)
  watch.beat(START + 1_000)
  await settled()
  expect(call.cancelled).not.toBe('')
  expect(watch.refusal).toEqual({
    code: 'user_budget_exhausted',
    params: { period: 'weekly', resets: '2025-11-24T00:00:00Z' },
  })
})

test('a stream that outran its hold waits for the extension and goes on with it', async () => {
  const { watch, deliver, extended, call } = watched({ hold: 100 })
  deliver(900)
  watch.beat(START + 1_000)
  expect(watch.isHolding).toBe(true)
  expect(call.paused).toBe(true)
  await settled()
  expect(extended).toEqual([(16n + 300n) * 2_000n])
  expect(watch.isHolding).toBe(false)
  expect(call.paused).toBe(false)
})

test.each([
  ['token_quota', 'stream_quota_exhausted'],
  ['user_quota', 'stream_quota_exhausted'],
  ['unavailable', 'ledger_unavailable'],
  // Other replicas closed the hold because they considered this one dead; this says nothing about the caller's quota.
  ['stale', 'ledger_unavailable'],
] as const)('without more (%s) the stream can use up what is held, and no more', async (answer, code) => {
  const { watch, deliver, call } = watched({ hold: 100, answer })
  deliver(200)
  watch.beat(START + 1_000)
  await settled()
  expect(watch.refusal).toBeUndefined()
  deliver(200)
  watch.beat(START + 2_000)
  await settled()
  expect(watch.refusal).toEqual({ code })
  expect(call.cancelled).not.toBe('')
})

test('a flood of text between two beats is noticed too', async () => {
  const { watch, deliver, extended } = watched({ hold: 100 })
  deliver(70_000)
  expect(watch.isHolding).toBe(true)
  await settled()
  expect(extended).toHaveLength(1)
})

test('an answer with a cap is never extended', async () => {
  const { watch, deliver, extended } = watched({ hold: 100, open: false })
  deliver(70_000)
  watch.beat(START + 1_000)
  await settled()
  expect(extended).toEqual([])
  expect(watch.isHolding).toBe(false)
})

test(
  'every 15 seconds of the pulse, whatever the clock says, the ledger learns what to charge if this process dies',
  { tags: 'S45' },
  () => {
    const { watch, deliver, renewed } = watched({ hold: 100_000 })
    deliver(380)
    watch.beat(START + 14_000)
    expect(renewed).toEqual([])
    watch.beat(START + 15_000)
    watch.beat(START + 16_000)
    expect(renewed).toHaveLength(1)
    expect(renewed[0]).toMatchObject({
      requestId: 'r1',
      amount: 100_000n,
      tokens: { output: 100 },
      log: { estimated: true, ended: 'gateway_died' },
    })
    watch.beat(START + 30_000)
    expect(renewed).toHaveLength(2)
  },
)

test('after its end it requests nothing more', async () => {
  const { watch, deliver, call } = watched({ hold: 100, answer: 'token_quota' })
  deliver(900)
  watch.beat(START + 1_000)
  watch.close()
  await settled()
  expect(call.cancelled).toBe('')
})
