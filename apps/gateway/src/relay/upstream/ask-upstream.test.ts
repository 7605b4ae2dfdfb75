import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TokenCredentials } from '@sluice/providers/credentials/credentials'
import { openAi } from '@sluice/providers/kinds/openai'
import { Agent } from 'undici'
import { afterEach, expect, test } from 'vitest'
import type { AnswerReader } from '../calls/answer-reader.ts'
import { askUpstream, type Running } from './ask-upstream.ts'
import type { CallRequest } from './upstream-call.ts'

const closers: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

const CREDENTIALS: TokenCredentials = {
  kind: 'token',
  cacheKey: 'a',
  request: () => ({ origin: '', path: '', headers: [], body: '' }),
  read: () => ({ problem: '' }),
  headers: (token) => ['authorization', `Bearer ${token}`],
}
/** Reads every answer as an unfinished job that is polled as late as possible. */
const JOB: AnswerReader = {
  openStream() {
    throw new Error('a job is no stream')
  },
  readAnswer: () => ({ follow: { path: '/job', afterMs: 60_000 } }),
  asEvents: (body) => body,
}

/** A provider, what it received, and a call whose caller might stop waiting. */
async function world(credentials?: TokenCredentials, now: () => number = Date.now) {
  const seen: string[] = []
  const waiter = new AbortController()
  const running: Running = { call: undefined, isStopped: false, signal: waiter.signal, hold: () => undefined }
  waiter.signal.addEventListener('abort', () => (running.isStopped = true))
  let onAsked = () => {}
  let giveToken: (token: string) => void = () => {}
  const server = createServer((request, reply) => {
    seen.push(`${request.method} ${request.url}`)
    reply.setHeader('content-type', 'application/json').end('{}', () => onAsked())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const upstreams = new Agent()
  closers.push(
    () => upstreams.destroy(),
    () => server.close(),
  )
  const request: CallRequest = {
    method: 'POST',
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    path: '/call',
    headers: [],
    credentials,
    body: Buffer.from('{}'),
    stream: false,
    reader: JOB,
    kind: openAi,
    losses: [],
  }
  const deps = {
    upstreams,
    times: { connectTimeoutMs: 1_000, firstByteTimeoutMs: 5_000, idleTimeoutMs: 5_000 },
    answerLimit: 1_000,
    now,
    steady: () => performance.now(),
    upstreamTokens: {
      token: () =>
        new Promise<{ token: string; expiresAt: number }>((resolve) => {
          giveToken = (token) => resolve({ token, expiresAt: Infinity })
        }),
      forget: () => {},
    },
  }
  return {
    seen,
    running,
    leave: () => waiter.abort(),
    asked: new Promise<void>((resolve) => (onAsked = resolve)),
    giveToken: (token: string) => giveToken(token),
    result: askUpstream(deps, request, running),
  }
}

test('a provider is not called when the hold was refused while its token was fetched', async () => {
  const { result, running, giveToken, seen } = await world(CREDENTIALS)
  running.isStopped = true
  giveToken('t')
  expect((await result).outcome).toMatchObject({ cause: 'stopped' })
  expect(seen).toEqual([])
})

test('a job is no longer polled, and the wait for it ends at once, when no caller waits', async () => {
  const { result, asked, leave, seen, running } = await world()
  await asked
  await expect.poll(() => running.call?.completed).toBeGreaterThan(0)
  leave()
  expect((await result).outcome).toMatchObject({ cause: 'stopped' })
  expect(seen).toEqual(['POST /call'])
}, 3_000)

test(
  'a job is waited for as long as it may take, even if the clock is set forward by a day in the meantime',
  { tags: 'S45', timeout: 3_000 },
  async () => {
    let clock = Date.now()
    const { result, asked, leave, running } = await world(undefined, () => (clock += 86_400_000))
    await asked
    await expect.poll(() => running.call?.completed).toBeGreaterThan(0)
    const first = await Promise.race([result, new Promise((resolve) => setTimeout(resolve, 50, 'still waiting'))])
    expect(first).toBe('still waiting')
    leave()
    expect((await result).outcome).toMatchObject({ cause: 'stopped' })
  },
)
