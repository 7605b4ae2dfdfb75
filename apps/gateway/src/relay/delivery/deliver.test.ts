import { openDeltaText } from '@sluice/dialects/canon/delta-text'
import type { HoldAnswer } from '@sluice/ledger/ledger'
import { mq } from '@sluice/ledger/units'
import { expect, test } from 'vitest'
import { plainCounts } from '../calls/parsed-call.ts'
import type { Beating } from '../client/pulse.ts'
import type { Answered, EventSink } from '../stages/answered.ts'
import { deliver, type DeliverDeps } from './deliver.ts'
import { UnseenOutput } from './unseen-output.ts'
import { openWatch, type WatchDeps } from './watch-hold.ts'

const NANO = 1_000_000_000n
const rates = { input: NANO, cachedInput: NANO, cacheWrite5m: NANO, cacheWrite1h: NANO, output: NANO }

/** A stream of an unknown model, one word of whose answer has arrived; every token costs one quota point. */
function streaming(whenHoldGrows: HoldAnswer = 'held') {
  let sink: EventSink | undefined
  let stop = () => {}
  let watch: Beating | undefined
  const reply = { destroyed: false }
  const answered = {
    accepted: { id: 'r1', reply, signal: new AbortController().signal, atStop: (task: () => void) => (stop = task) },
    body: Buffer.from('{}'),
    kind: { body: 'json' },
    parsed: {
      hasText: true,
      format: { openText: openDeltaText, terminal: Buffer.alloc(0) },
      bound: () => ({ counts: plainCounts(1, 0), open: true }),
    },
    candidate: {
      upstreamModel: 'unheard-of',
      route: { channel: { id: 1 } },
      quote: { rates, tiers: [] },
      groupRatio: 1_000_000n,
    },
    hold: { amount: mq(20_000n), open: true },
    laneCall: { end: () => undefined },
    client: { firstByte: 0, isFull: false, write: () => true },
    call: {
      stream: { report: undefined, error: undefined, finished: false, terminal: Buffer.alloc(0) },
      attach: (attached: EventSink) => (sink = attached),
      pause: () => {},
      resume: () => {},
      cancel: (reason: string) => sink?.onEnd({ outcome: 'broken', reason, forward: [] }),
    },
  } as unknown as Answered
  const watching: WatchDeps = {
    ledger: { extend: () => Promise.resolve(whenHoldGrows), renew: () => Promise.resolve() },
    pulse: { now: () => 1, add: (member) => ((watch = member), () => {}) },
    now: () => 1,
    onError: () => {},
  }
  const deps: DeliverDeps = {
    openWatch: (...watched) => openWatch(watching, ...watched),
    now: () => 1,
    options: () => ({ ClientLeftPolicy: 'delivered' }),
    times: { readOnMs: 60_000 },
    unseen: new UnseenOutput(),
  }
  const delivered = deliver(deps, answered)
  const say = (words: string) =>
    sink?.onEvents([Buffer.from(`data: {"choices":[{"delta":{"content":"${words}"}}]}\n\n`)])
  say('Once')
  return {
    delivered,
    say,
    look: () => watch?.beat(2),
    leave: () => {
      reply.destroyed = true
      return sink?.onAbandoned()
    },
    stop: () => stop(),
  }
}

test(
  'a client that left an answer that is read on pays for what was not shown, also when the gateway stops',
  { tags: 'S41' },
  async () => {
    const { leave, stop, delivered } = streaming()
    expect(leave()).toBe(true)
    stop()
    expect(await delivered).toMatchObject({
      outcome: { ending: 'client_gone', extent: 'unclear', isReadOn: false },
    })
  },
)

test('… and when the quota covers no more of it', { tags: 'S41' }, async () => {
  const { leave, say, look, delivered } = streaming('user_quota')
  expect(leave()).toBe(true)
  say('upon a time '.repeat(20))
  look()
  expect(await delivered).toMatchObject({
    outcome: { ending: 'client_gone', extent: 'unclear', isReadOn: false },
  })
})

test('a stream that the quota does not cover is cut while its client listens', async () => {
  const { say, look, delivered } = streaming('user_quota')
  say('upon a time '.repeat(20))
  look()
  expect(await delivered).toMatchObject({ outcome: { ending: 'quota_exhausted', extent: 'unclear' } })
})
