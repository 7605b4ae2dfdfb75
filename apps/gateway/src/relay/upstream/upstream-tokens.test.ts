import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TokenCredentials } from '@sluice/providers/credentials/credentials'
import { readTokenReply } from '@sluice/providers/credentials/token-reply'
import { afterEach, expect, test } from 'vitest'
import { createAddressGuard } from '../../outbound/address-guard.ts'
import { openGuardedClient } from '../../outbound/guarded-client.ts'
import { createUpstreamTokens } from './upstream-tokens.ts'

const closers: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

const HOUR_MS = 3_600_000
const waiting = new AbortController().signal

/** A token server, the cache that calls it, and a clock. */
async function world(answer: (reply: ServerResponse, count: number, request: IncomingMessage) => void) {
  let requests = 0
  let clock = 1_000
  const server = createServer((request, reply) => {
    reply.sendDate = false
    answer(reply, ++requests, request)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const guarded = openGuardedClient(createAddressGuard('allow'))
  closers.push(
    () => guarded.close(),
    () => server.closeAllConnections(),
    () => server.close(),
  )
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const tokens = createUpstreamTokens({ fetch: guarded.fetch, now: () => clock, nonce: () => 'n' })
  return {
    tokens,
    requests: () => requests,
    pass: (ms: number) => (clock += ms),
    get: (name = 'a', signal = waiting) => tokens.token(credentials(origin, name), signal),
    forget: (token: string) => tokens.forget(credentials(origin, 'a'), token),
  }
}

function credentials(origin: string, cacheKey: string): TokenCredentials {
  const headers = ['authorization', 'Bearer assertion']
  return {
    kind: 'token',
    cacheKey,
    request: (_, nonce) => ({ origin, path: '/token', headers, body: nonce }),
    read: readTokenReply,
    headers: (token) => ['authorization', `Bearer ${token}`],
  }
}

const give = (reply: ServerResponse, token: string, seconds = 3_600) =>
  reply.end(JSON.stringify({ access_token: token, expires_in: seconds }))

test('many waiting callers get one token, fetched once', async () => {
  const { get, requests } = await world((reply, count, request) => {
    expect(request.headers.authorization).toBe('Bearer assertion')
    give(reply, `t${count}`)
  })
  const found = await Promise.all(Array.from({ length: 100 }, () => get()))
  expect(new Set(found.map((one) => JSON.stringify(one)))).toEqual(
    new Set([JSON.stringify({ token: 't1', expiresAt: 1_000 + HOUR_MS })]),
  )
  expect(await get('b')).toMatchObject({ token: 't2' })
  expect(requests()).toBe(2)
})

test('shortly before its end a token is renewed while the old one still serves', async () => {
  const { get, requests, pass } = await world((reply, count) => give(reply, `t${count}`))
  await get()
  pass(HOUR_MS - 200_000)
  expect(await get()).toMatchObject({ token: 't1' })
  await until(() => requests() === 2)
  await until(async () => JSON.stringify(await get()).includes('t2'))
  expect(requests()).toBe(2)
})

test('an expired token is never handed out', async () => {
  const { get, pass } = await world((reply, count) => give(reply, `t${count}`))
  await get()
  pass(HOUR_MS)
  expect(await get()).toMatchObject({ token: 't2' })
})

test('a renewal that fails leaves a valid token in use, and is tried again later', async () => {
  const { get, requests, pass } = await world((reply, count) =>
    count === 2 ? reply.writeHead(500).end() : give(reply, `t${count}`),
  )
  await get()
  pass(HOUR_MS - 200_000)
  expect(await get()).toMatchObject({ token: 't1' })
  await until(() => requests() === 2)
  expect(await get()).toMatchObject({ token: 't1' })
  // The failure can arrive after any of these requests, and is remembered from then on.
  await until(async () => {
    pass(100)
    return JSON.stringify(await get()).includes('t3')
  })
})

test.each([
  [401, 'account'],
  [403, 'account'],
  [429, 'limited'],
  [500, 'provider'],
  [200, 'provider'],
])('status %i without a token is attributed to: %s', async (status, cause) => {
  const { get } = await world((reply) => reply.writeHead(status).end('{}'))
  expect(await get()).toMatchObject({ cause })
})

test('a server that cannot be reached is the provider’s fault', async () => {
  const { get } = await world((reply) => reply.destroy())
  expect(await get()).toMatchObject({ cause: 'provider' })
})

test('a refusal is reported without the key and believed for some seconds', async () => {
  const { get, requests, pass } = await world((reply) =>
    reply.writeHead(400).end('{"error":"invalid_grant","error_description":"assertion eyJ… is wrong"}'),
  )
  const problem = {
    problem: "no token was issued for the channel's key (status 400: invalid_grant)",
    cause: 'account',
  }
  expect(await get()).toEqual(problem)
  expect(await get()).toEqual(problem)
  expect(requests()).toBe(1)
  pass(5_000)
  expect(await get()).toEqual(problem)
  expect(requests()).toBe(2)
})

test('a refusal by a server whose clock differs says nothing about the key', { tags: 'S45' }, async () => {
  const { get, pass } = await world((reply) => {
    reply.setHeader('date', new Date(1_000).toUTCString())
    reply.writeHead(400).end('{"error":"invalid_grant"}')
  })
  expect(await get()).toMatchObject({ cause: 'account' })
  pass(HOUR_MS)
  expect(await get()).toMatchObject({ cause: 'setup', problem: expect.stringContaining('set the clock') })
})

test('a refusal is not believed for longer because the clock was set back', { tags: 'S45' }, async () => {
  const { get, requests, pass } = await world((reply) => reply.writeHead(400).end('{"error":"invalid_grant"}'))
  await get()
  pass(-24 * HOUR_MS)
  await get()
  expect(requests()).toBe(2)
})

test('a token that the provider no longer takes is fetched again', async () => {
  const { get, forget } = await world((reply, count) => give(reply, `t${count}`))
  await get()
  forget('another')
  expect(await get()).toMatchObject({ token: 't1' })
  forget('t1')
  expect(await get()).toMatchObject({ token: 't2' })
})

test('a caller that leaves stops waiting; the others get the token', async () => {
  let release: (() => void) | undefined
  const { get } = await world((reply) => (release = () => give(reply, 't1')))
  const leaving = new AbortController()
  const [left, stayed] = [get('a', leaving.signal), get('a')]
  leaving.abort()
  expect(await left).toHaveProperty('problem')
  await until(() => release !== undefined)
  release?.()
  expect(await stayed).toMatchObject({ token: 't1' })
})

test('an answer that is endless, malformed or has a header in it is not a token', { tags: 'S27' }, async () => {
  const bodies = [
    'x'.repeat(100_000),
    'no json',
    '{"access_token":"a\\r\\nx: y","expires_in":9}',
    '{"access_token":"a"}',
    '[]',
  ]
  const { get } = await world((reply, count) => reply.end(bodies[count - 1]))
  for (const name of ['a', 'b', 'c', 'd', 'e']) expect(await get(name)).toHaveProperty('problem')
})

test('at most a thousand keys are cached; the one unused for longest is dropped', { tags: 'S27' }, async () => {
  const { get, requests } = await world((reply) => give(reply, 't'))
  for (let i = 0; i < 1_001; i++) await get(`k${i}`)
  await get('k1000')
  expect(requests()).toBe(1_001)
  await get('k0')
  expect(requests()).toBe(1_002)
})

async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 2))
}
