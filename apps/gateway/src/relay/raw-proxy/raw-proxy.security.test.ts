import { connect } from 'node:net'
import { type GatewayWorld, openGatewayWorld } from '@sluice/testkit/gateway-world'
import { type RawUpstream, startRawUpstream } from '@sluice/testkit/raw-upstream'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'

let upstream: RawUpstream
let world: GatewayWorld
let channel = 0

beforeAll(async () => {
  upstream = await startRawUpstream((socket) => {
    socket.end('HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok')
  })
  world = await openGatewayWorld({ SLUICE_CLIENT_STALL_TIMEOUT: '0.5' })
  channel = await world.addChannel(upstream.url, ['any'], { type: 43, key: 'upstream-secret', model_configs: '' })
})
afterEach(() => world.verify())
afterAll(async () => {
  await world.close()
  await upstream.close()
})

const call = (key: string, id = channel, path = '/x', init: RequestInit = {}) =>
  fetch(`${world.url}/v1/oneapi/proxy/${id}${path}`, {
    ...init,
    headers: key === '' ? {} : { authorization: `Bearer ${key}` },
  })
const codeOf = async (reply: Response) => ((await reply.json()) as { error: { code: string } }).error.code

test('a key that may not call anything may not call this either', { tags: 'S25' }, async () => {
  const user = await world.addUser('poor', 0)
  for (const [key, status, code] of [
    ['', 401, 'missing_key'],
    ['sk-nobody', 401, 'invalid_key'],
    [await world.addToken(world.root, { expired_time: 1 }), 401, 'token_expired'],
    [await world.addToken(user, { unlimited_quota: false, remain_quota: 0 }), 401, 'token_exhausted'],
    [await world.addToken(world.root, { subnet: '203.0.113.0/24' }), 403, 'subnet_not_allowed'],
    [await world.addToken(world.root, { models: 'gpt-4o' }), 403, 'model_not_allowed'],
  ] as const) {
    const reply = await call(key)
    expect([code, reply.status, await codeOf(reply)]).toEqual([code, status, code])
  }
  expect(upstream.requests).toHaveLength(0)
})

test('a token’s requests per minute are limited here too', { tags: 'S28' }, async () => {
  const key = await world.addToken(world.root, { rpm: 1 })
  expect((await call(key)).headers.get('x-ratelimit-remaining-requests')).toBe('0')
  const reply = await call(key)
  expect([reply.status, await codeOf(reply)]).toEqual([429, 'rate_limited'])
})

test('a token with a list of models may call it when the list names the raw proxy', async () => {
  const reply = await call(await world.addToken(world.root, { models: 'gpt-4o,raw-proxy' }))
  expect(reply.status).toBe(200)
})

test(
  'channels of other groups, of other types, paused, disabled or missing all look the same: not found',
  { tags: 'S11' },
  async () => {
    const user = await world.addUser('outsider', 1_000)
    const key = await world.addToken(user)
    const proxy = { type: 43, key: 'k', model_configs: '' }
    const hidden = [
      await world.addChannel(upstream.url, ['any'], { ...proxy, group: 'vip' }),
      await world.addChannel(upstream.url, ['chat-model']),
      await world.addChannel(upstream.url, ['any'], { ...proxy, priority: -1 }),
      99_999,
    ]
    const before = upstream.requests.length
    for (const id of hidden) {
      const reply = await call(key, id)
      expect([reply.status, await codeOf(reply)]).toEqual([404, 'raw_channel_missing'])
    }
    expect(upstream.requests).toHaveLength(before)
  },
)

test('a priced call requires quota for its price', { tags: 'S23' }, async () => {
  const user = await world.addUser('nearly', 100)
  const key = await world.addToken(user)
  const priced = await world.addChannel(upstream.url, ['any'], {
    type: 43,
    key: 'k',
    model_configs: JSON.stringify({ 'raw-proxy': { per_call: { usd_per_thousand_calls: 2 } } }),
  })
  const reply = await call(key, priced)
  expect([reply.status, await codeOf(reply)]).toEqual([403, 'insufficient_user_quota'])
})

test('TRACE, which would show the key of the channel, is refused, and so is a path outside its base', async () => {
  const key = await world.addToken(world.root)
  const before = upstream.requests.length
  const raw = await sendRaw(`TRACE /v1/oneapi/proxy/${channel}/x HTTP/1.1`, key)
  expect(raw).toMatch(/^HTTP\/1\.1 405 /)
  expect(await sendRaw(`GET /v1/oneapi/proxy/${channel}/a/../../b HTTP/1.1`, key)).toMatch(/^HTTP\/1\.1 400 /)
  expect(upstream.requests).toHaveLength(before)
})

test('the key of the channel is in no answer, no log line and no row', { tags: 'S20' }, async () => {
  const key = await world.addToken(world.root)
  const reply = await call(key)
  expect(JSON.stringify([...reply.headers]) + (await reply.text())).not.toContain('upstream-secret')
  expect(world.log.join('\n')).not.toContain('upstream-secret')
  expect(JSON.stringify(await world.rows('select url, attempts from trace'))).not.toContain('upstream-secret')
})

test('a caller that reads nothing holds the provider back, and is cut off in the end', { tags: 'S27' }, async () => {
  const chunk = Buffer.concat([Buffer.from('f4240\r\n'), Buffer.alloc(1_000_000), Buffer.from('\r\n')])
  let taken = 0
  const endless = await startRawUpstream((socket) => {
    socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n')
    const more = () => {
      taken += chunk.length
      if (socket.write(chunk)) setImmediate(more)
      else socket.once('drain', more)
    }
    more()
  })
  const id = await world.addChannel(endless.url, ['any'], { type: 43, key: 'k', model_configs: '' })
  const { hostname, port } = new URL(world.url)
  const socket = connect(Number(port), hostname)
  socket.on('error', () => {})
  const key = await world.addToken(world.root)
  socket.write(`GET /v1/oneapi/proxy/${id}/x HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n\r\n`)
  await expect.poll(() => endless.closed, { timeout: 10_000 }).toBe(1)
  // No more than the sockets of three processes can hold.
  expect(taken).toBeLessThan(100_000_000)
  socket.destroy()
  await endless.close()
})

/** Sends a request line that no HTTP client would send. */
function sendRaw(line: string, key: string): Promise<string> {
  const { hostname, port } = new URL(world.url)
  return new Promise((resolve, reject) => {
    let text = ''
    const socket = connect(Number(port), hostname)
    socket.on('data', (chunk) => (text += chunk.toString()))
    socket.on('close', () => resolve(text))
    socket.on('error', reject)
    socket.end(`${line}\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer ${key}\r\n\r\n`)
  })
}
