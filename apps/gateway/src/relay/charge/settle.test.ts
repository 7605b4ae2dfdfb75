import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { mqFromQuota } from '@sluice/ledger/units'
import { brokenInvariants } from '@sluice/testkit/ledger-engine'
import { openTestPayer } from '@sluice/testkit/ledger-operations'
import { openLedgerOnSqlite } from '@sluice/testkit/ledger-sqlite'
import { openManualTimers } from '@sluice/testkit/manual-timers'
import { openTestLedger } from '@sluice/testkit/test-ledger'
import { expect, test } from 'vitest'
import { plainCounts } from '../calls/parsed-call.ts'
import type { Delivered } from '../stages/delivered.ts'
import { CHARGE_WAIT_MS } from './charge-in-time.ts'
import { settle, type SettleDeps } from './settle.ts'

const NANO = 1_000_000_000n
const rates = { input: NANO, cachedInput: NANO, cacheWrite5m: NANO, cacheWrite1h: NANO, output: NANO }
const POLICIES = {
  ClientLeftPolicy: 'delivered',
  ClientLeftEarlyPolicy: 'void',
  UpstreamBrokenPolicy: 'delivered',
  EmptyAnswerPolicy: 'charge',
  ErrorInAnswerPolicy: 'void',
} as unknown as ReturnType<SettleDeps['options']>

const FAULTS = ['nothing is written', 'all is written, and nobody hears of it'] as const
const CHARGED = [{ amount: 10_000n, ended: 'complete' }]

interface Circumstances {
  readonly fault?: (typeof FAULTS)[number]
  /** The answer was cut after this many ms, with this many tokens at most. */
  readonly cut?: { readonly most: number; readonly elapsedMs: number }
}

/** A finished answer of ten tokens, while the database writes nothing, or writes but cannot confirm it. */
async function answered(kind: 'plain' | 'stream', { fault = 'nothing is written', cut }: Circumstances = {}) {
  const books = openLedgerOnSqlite()
  const engine = books.openEngine()
  const timers = openManualTimers()
  const payer = await openTestPayer(engine, 'setup', { userId: 1, tokenId: 1, quota: 1_000, limit: 100 })
  let isAway = false
  const ledger = await openTestLedger({
    engine: {
      ...engine,
      apply: async (...batch) => {
        if (isAway && fault === 'nothing is written') throw new Error('database or disk is full')
        const result = await engine.apply(...batch)
        if (isAway) throw new Error('the connection broke after the commit')
        return result
      },
    },
    timers,
  })
  const { account, limitAccount } = payer
  await ledger.hold({ requestId: 'r', account, limitAccount, amount: mqFromQuota(20), durable: true })
  isAway = true
  const reply = new ServerResponse(new IncomingMessage(new Socket()))
  const reported: string[] = []
  const client = {
    firstByte: timers.now(),
    end: () => void reported.push('the end'),
    fail: ({ code }: { code: string }) => void reported.push(code),
  }
  if (kind === 'stream') reply.writeHead(200)
  const delivered = {
    accepted: {
      id: 'r',
      received: timers.now(),
      path: '/v1/chat/completions',
      method: 'POST',
      headers: {},
      reply,
      replyHeaders: [],
    },
    body: Buffer.alloc(10),
    identity: { account, limitAccount, userId: 1, tokenId: 1, username: 'ann', tokenName: 't' },
    session: '',
    parsed: {
      model: 'm',
      stream: kind === 'stream',
      hasText: true,
      format: { streamType: 'text/event-stream' },
      bound: () => ({ counts: plainCounts(5, cut?.most ?? 5) }),
    },
    candidate: {
      model: 'm',
      upstreamModel: 'm',
      route: { channel: { id: 5, name: 'c' }, key: { fingerprint: '', position: 1, of: 1 } },
      quote: { rates, tiers: [], source: 'channel', context: undefined, maxOutput: undefined },
      groupRatio: 1_000_000n,
    },
    hold: { amount: mqFromQuota(20), open: false, pending: undefined },
    held: mqFromQuota(20),
    attempts: [],
    losses: [],
    forwarded: timers.now(),
    // For a cut answer, the clock was set ahead by an hour in between.
    laneCall: { started: timers.now() - (cut === undefined ? 0 : 3_600_000), elapsed: () => cut?.elapsedMs ?? 0 },
    call: { status: 200, completed: timers.now(), firstUpstream: timers.now() },
    client: kind === 'stream' ? client : undefined,
    plain: kind === 'plain' ? { answer: { contentType: 'application/json' }, body: Buffer.from('{}') } : undefined,
    last: Buffer.from('{}'),
    outcome:
      cut === undefined
        ? { ending: 'complete' }
        : { ending: 'stopped', extent: 'unclear', error: { code: 'call_stopped' } },
    usage: { counts: plainCounts(5, 5), own: {} },
  } as unknown as Delivered
  const settled = settle(
    {
      ledger,
      after: (ms, task) => timers.after(ms, task),
      tokenizer: { count: () => Promise.reject(new Error('the provider has counted')) },
      times: { clientStallMs: 1_000 },
      options: () => POLICIES,
      now: timers.now,
    },
    delivered,
  )
  const rows = (columns: string) => books.read(`select ${columns} where request_id = 'r'`)
  return {
    reply,
    reported,
    settled,
    timers,
    /** The charge's log row and the open holds, once the database is back and nothing waits. */
    whenBack: async () => {
      isAway = false
      await timers.advance(10_000)
      await settled
      expect(await brokenInvariants(books.read, 0)).toEqual([])
      const found = { log: await rows('amount, ended from log'), holds: await rows('request_id from hold') }
      books.close()
      return found
    },
  }
}

test.each(FAULTS)(
  'a plain answer waits at most 30 s for its charge; its client is told so, and pays nothing: %s',
  async (fault) => {
    const { reply, timers, whenBack } = await answered('plain', { fault })
    await timers.advance(CHARGE_WAIT_MS - 1_000)
    expect(reply.headersSent).toBe(false)
    await timers.advance(2_000)
    expect([reply.statusCode, reply.headersSent]).toEqual([503, true])
    expect(await whenBack()).toEqual({ log: [{ amount: 0n, ended: 'undelivered' }], holds: [] })
  },
)

test.each(FAULTS)('a client that leaves while a plain answer waits for its charge pays nothing: %s', async (fault) => {
  const { reply, timers, whenBack } = await answered('plain', { fault })
  await timers.advance(1_000)
  reply.destroy()
  expect(await whenBack()).toEqual({ log: [{ amount: 0n, ended: 'undelivered' }], holds: [] })
})

test('a plain answer whose charge is late, but in time, is sent whole and charged once', async () => {
  const { reply, timers, whenBack } = await answered('plain')
  await timers.advance(CHARGE_WAIT_MS - 20_000)
  expect(await whenBack()).toEqual({ log: CHARGED, holds: [] })
  expect([reply.statusCode, reply.writableEnded]).toEqual([200, true])
})

test('a stream waits at most 30 s for its charge; it ends with an error, and what was delivered is charged once', async () => {
  const { reported, settled, timers, whenBack } = await answered('stream')
  await timers.advance(CHARGE_WAIT_MS + 1_000)
  expect(reported).toEqual(['ledger_unavailable'])
  expect((await settled).settlement).toBeUndefined()
  expect(await whenBack()).toEqual({ log: CHARGED, holds: [] })
  expect(reported).toEqual(['ledger_unavailable'])
})

test(
  'an answer that was cut costs what a quick model writes in the elapsed time, even if the clock was changed',
  { tags: 'S45' },
  async () => {
    const { settled, whenBack } = await answered('stream', { cut: { most: 1_000, elapsedMs: 80 } })
    expect(await whenBack()).toMatchObject({ log: [{ ended: 'stopped' }], holds: [] })
    expect((await settled).settlement?.tokens.output).toBe(8)
  },
)
