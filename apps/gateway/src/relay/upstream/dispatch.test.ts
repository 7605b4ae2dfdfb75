import { mq } from '@sluice/ledger/units'
import type { Lane } from '@sluice/routing/lane'
import { createHealth } from '@sluice/routing/lane-health'
import { createRetryBudgets } from '@sluice/routing/retry-budget'
import { channelSnapshot } from '@sluice/testkit/channel-snapshot'
import type { Dispatcher } from 'undici'
import { describe, expect, test } from 'vitest'
import { CALL_KINDS } from '../calls/calls.ts'
import { plan } from '../routing/plan.ts'
import { createRoutingTable } from '../routing/routing-table.ts'
import type { Reserved } from '../stages/planned.ts'
import { dispatch, type DispatchDeps } from './dispatch.ts'

const NOW = 1_800_000_000_000
const ANSWER = JSON.stringify({
  choices: [{ index: 0, message: { role: 'assistant', content: 'Yes.' }, finish_reason: 'stop' }],
})

/** A plain call over two channels; the nth one answers with `answers[n]`. */
function asking(answers: readonly ((handler: Dispatcher.DispatchHandler) => void)[], pending?: Promise<undefined>) {
  const { table } = createRoutingTable([channelSnapshot(1), channelSnapshot(2)], () => 'key')
  const kind = CALL_KINDS.find(({ endpoint }) => endpoint === 'chat_completions')
  const body = Buffer.from(JSON.stringify({ model: 'm', messages: [{ role: 'user', content: '?' }], max_tokens: 9 }))
  const parsed = kind?.read(body, undefined, {}, {})
  const abort = new AbortController()
  const health = createHealth({ capacity: 100, random: () => 0.5 })
  const options = {
    RetryTimes: 2,
    UnpricedModelPolicy: 'refuse',
    UnpricedModelRatio: 30,
    ModelFallbacks: new Map(),
    Groups: { byName: new Map(), auto: [] },
    LossPolicy: 'tell',
  }
  const reply = { destroyed: false, once: () => {} }
  const request = {
    accepted: {
      id: 'r1',
      received: NOW,
      headers: {},
      signal: abort.signal,
      reply,
      replyHeaders: [],
      holdAnswer: () => undefined,
    },
    identity: { group: 'default', tokenId: 1, userId: 1 },
    parsed,
    kind,
    body,
    hold: { amount: mq(1n), open: false, pending },
    unlogged: false,
  }
  let sent = 0
  const deps = {
    health,
    routing: () => table,
    options: () => options,
    random: () => 0.5,
    now: () => NOW,
    onUnpriced: () => {},
    onCalled: () => {},
    retryBudgets: createRetryBudgets(10),
    limitChannel: () => undefined,
    watchPlain: () => undefined,
    times: { retryDeadlineMs: 10_000 },
    steady: () => NOW,
    answerLimit: 1_000_000,
    upstreams: {
      dispatch: (_: object, handler: Dispatcher.DispatchHandler) => {
        answers[sent++]?.(handler)
        return true
      },
    },
  }
  const planned = plan(deps as never, request as never) as unknown as Reserved
  const run = () => dispatch(deps as unknown as DispatchDeps, planned)
  const lanes = planned.candidates.map(({ lane }) => lane)
  return { run, health, abort, reply, lanes, sent: () => sent }
}

const controller = { abort: () => {}, pause: () => {}, resume: () => {} } as unknown as Dispatcher.DispatchController

const answering = (status: number, text: string) => (handler: Dispatcher.DispatchHandler) => {
  handler.onRequestStart?.(controller, {})
  handler.onResponseStart?.(controller, status, { 'content-type': 'application/json' })
  handler.onResponseData?.(controller, Buffer.from(text))
  handler.onResponseEnd?.(controller, {})
}

test('a call that fails in an unforeseen way is over for its lane, too', async () => {
  const { run, health } = asking([
    () => {
      throw new Error('unforeseen')
    },
  ])
  await expect(run()).rejects.toThrow('unforeseen')
  expect(health.views(NOW).map(({ open }) => open)).toEqual([0])
})

test('a client that leaves when its answer is there, after another channel failed, leaves the one that answered', async () => {
  let stand: (held: undefined) => void = () => {}
  const pending = new Promise<undefined>((resolve) => (stand = resolve))
  const { run, abort, reply } = asking([answering(500, '{}'), answering(200, ANSWER)], pending)
  const ran = run()
  await new Promise((resolve) => setImmediate(resolve))
  reply.destroyed = true
  abort.abort()
  stand(undefined)
  const left = await ran
  expect(left).toMatchObject({ failure: undefined, attempts: [{ channel: 1 }], atWork: { lane: { channel: 2 } } })
})

describe('a channel that has asked for a pause since the plan was made', () => {
  const busy = (health: ReturnType<typeof asking>['health'], lane: Lane | undefined) => {
    if (lane !== undefined) health.adopt({ ...lane, cause: 'limited', until: NOW + 60_000 })
  }

  test('is left alone, and the failure before it is reported', async () => {
    const { run, health, lanes, sent } = asking([answering(500, '{}'), answering(200, ANSWER)])
    busy(health, lanes[1])
    expect(await run()).toMatchObject({ failure: { vendor: { status: 500 } }, attempts: [{ channel: 1 }] })
    expect(sent()).toBe(1)
  })

  test('is still called when no other channel was', async () => {
    const { run, health, lanes } = asking([answering(200, ANSWER)])
    for (const lane of lanes) busy(health, lane)
    expect(await run()).toMatchObject({ candidate: { lane: { channel: 1 } } })
  })
})
