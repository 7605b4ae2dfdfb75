import { connect } from 'node:net'
import { type GatewayWorld, openGatewayWorld } from '@sluice/testkit/gateway-world'
import { type HeldUpstream, startHeldUpstream } from '@sluice/testkit/held-upstream'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'

let upstream: HeldUpstream
let world: GatewayWorld
const keys: Record<string, string> = {}
const METRICS = 'metrics-token-of-this-test'

beforeAll(async () => {
  upstream = await startHeldUpstream()
  world = await openGatewayWorld({ SLUICE_MAX_REQUESTS: '2', SLUICE_QUEUE_TIMEOUT: '1', SLUICE_METRICS_TOKEN: METRICS })
  await world.addChannel(upstream.url, ['held'])
  for (const name of ['ann', 'bob', 'eve']) {
    keys[name] = await world.addToken(await world.addUser(name, 100_000_000))
  }
})
afterEach(() => world.verify())
afterAll(async () => {
  await world.close()
  await upstream.close()
})

const ask = (user: string, question: string, init: RequestInit = {}) =>
  world.chat(keys[user] ?? '', { model: 'held', messages: [{ role: 'user', content: question }] }, init)
async function present(): Promise<number> {
  const reply = await fetch(`${world.url}/metrics`, { headers: { authorization: `Bearer ${METRICS}` } })
  const lines = (await reply.text()).matchAll(/^sluice_(?:open|waiting)_requests (\d+)$/gm)
  return [...lines].reduce((sum, [, count]) => sum + Number(count), 0)
}

/** Sends requests, each once the previous one runs or waits; `already` is the number present before. */
async function askInOrder(
  questions: readonly (readonly [string, string])[],
  already = 0,
): Promise<Promise<Response>[]> {
  const replies: Promise<Response>[] = []
  for (const [user, question] of questions) {
    await arePresent(already + replies.length)
    replies.push(ask(user, question))
  }
  await arePresent(already + replies.length)
  return replies
}

const arePresent = (count: number) => expect.poll(present, { interval: 10 }).toBe(count)

test('requests above the limit wait, in turn between users', { tags: 'S27' }, async () => {
  const replies = await askInOrder([
    ['ann', 'a1'],
    ['ann', 'a2'],
    ['ann', 'a3'],
    ['bob', 'b1'],
  ])
  expect(upstream.waiting).toEqual(['a1', 'a2'])
  const served: string[] = []
  for (let n = 0; n < replies.length; n += 1) {
    await expect.poll(() => upstream.waiting.length).toBeGreaterThan(0)
    served.push(upstream.waiting[0] ?? '')
    await upstream.answerNext()
    await replies[n]
  }
  expect(served).toEqual(['a1', 'a2', 'a3', 'b1'])
  expect((await Promise.all(replies)).map(({ status }) => status)).toEqual([200, 200, 200, 200])
})

test(
  'the queue is bounded: one user’s requests give way to those of another, and are told when to come back',
  { tags: 'S27' },
  async () => {
    const running = await askInOrder([
      ['ann', 'a1'],
      ['ann', 'a2'],
    ])
    const waiting = await askInOrder(
      [
        ['ann', 'a3'],
        ['ann', 'a4'],
      ],
      2,
    )
    const favoured = ask('bob', 'b1')
    const madeRoom = await waiting[1]
    expect(madeRoom?.status).toBe(503)
    expect(Number(madeRoom?.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(JSON.stringify(await madeRoom?.json())).toContain('The gateway has reached its limit of 2 open requests')
    for (let n = 0; n < 4; n += 1) await upstream.answerNext()
    const rest = await Promise.all([...running, waiting[0], favoured])
    expect(rest.map((reply) => reply?.status)).toEqual([200, 200, 200, 200])
  },
)

test('a request that waits too long is refused, and a client that leaves the queue makes room for others', async () => {
  const running = await askInOrder([
    ['ann', 'a1'],
    ['ann', 'a2'],
  ])
  const client = new AbortController()
  const leaves = ask('bob', 'b1', { signal: client.signal }).catch(() => 'left')
  await arePresent(3)
  const stays = ask('eve', 'e1')
  client.abort()
  expect(await leaves).toBe('left')
  const late = await stays
  expect(late.status).toBe(503)
  expect(JSON.stringify(await late.json())).toContain('no slot became free within 1 s')
  await upstream.answerNext()
  await upstream.answerNext()
  await Promise.all(running)
  const next = ask('bob', 'b2')
  await upstream.answerNext()
  expect((await next).status).toBe(200)
})

test.each([
  ['/v1/messages', { type: 'error', error: { type: 'overloaded_error', code: 'overloaded' } }],
  ['/v1beta/models/held:generateContent', { error: { code: 503, status: 'UNAVAILABLE' } }],
  ['/v1/chat/completions', { error: { code: 'overloaded' } }],
])('a request that is refused on arrival at %s is refused in the words of that path', async (path, expected) => {
  // As many as the process admits: they have not sent their bodies, so none has reached the queue.
  const half = `POST /v1/chat/completions HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${keys['ann']}\r\nContent-Length: 9\r\n\r\n{`
  const sockets = Array.from({ length: 6 }, () => connect(Number(new URL(world.url).port), '127.0.0.1'))
  for (const socket of sockets) socket.write(half)
  try {
    await expect.poll(async () => (await fetch(`${world.url}/readyz`)).status).toBe(503)
    const reply = await fetch(world.url + path, { method: 'POST', body: '{}' })
    expect(reply.status).toBe(503)
    expect(await reply.json()).toMatchObject(expected)
  } finally {
    for (const socket of sockets) socket.destroy()
    await expect.poll(async () => (await fetch(`${world.url}/readyz`)).status).toBe(200)
  }
})

test('a process that is asked to stop still serves waiting requests', async () => {
  const replies = await askInOrder([
    ['ann', 'a1'],
    ['ann', 'a2'],
    ['bob', 'b1'],
  ])
  const stopped = world.stop()
  for (let n = 0; n < 3; n += 1) await upstream.answerNext()
  expect((await Promise.all(replies)).map(({ status }) => status)).toEqual([200, 200, 200])
  await stopped
})
