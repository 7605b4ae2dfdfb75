import { request } from 'node:http'
import { updateOption } from '@sluice/contract/routes/options'
import { listRunningCalls, stopRunningCall } from '@sluice/contract/routes/running-calls'
import { updateToken } from '@sluice/contract/routes/tokens'
import { type GatewayWorld, openGatewayWorld } from '@sluice/testkit/gateway-world'
import { type Site, startSite } from '@sluice/testkit/http-site'
import { openRealtimeClient } from '@sluice/testkit/realtime-client'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'

/** Three relay threads, and clients whose every request comes on a connection of its own, so that each thread gets some. */
const METRICS = 'a-token-for-metrics'
const ANSWER = {
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created: 1,
  model: 'm',
  choices: [{ index: 0, message: { role: 'assistant', content: 'Yes.' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 3, completion_tokens: 1, total_tokens: 4 },
}
const MANY = 40

let site: Site
let world: GatewayWorld
/** What the provider says next. */
let status = 200
/** While set, the provider waits for it; `waiting` counts its calls meanwhile. */
let slow: PromiseWithResolvers<void> | undefined
let waiting = 0

beforeAll(async () => {
  site = await startSite(async ({ headers }) => {
    waiting += 1
    await slow?.promise
    if (status !== 200) return { status, headers: { 'retry-after': '30' }, body: { error: { message: 'busy' } } }
    return { body: headers['anthropic-version'] === undefined ? ANSWER : MESSAGE }
  })
  world = await openGatewayWorld({ SLUICE_RELAY_THREADS: '3', SLUICE_METRICS_TOKEN: METRICS })
  await world.addChannel(site.url, ['m'])
  await world.addChannel(site.url, ['busy'])
  await world.addChannel(site.url, ['claude-sonnet-4-5'], { type: 14, key: 'sk-ant-key' })
})
afterEach(async () => {
  slow?.resolve()
  slow = undefined
  await world.verify()
})
afterAll(async () => {
  await world.close()
  await site.close()
})

const MESSAGE = {
  id: 'msg_01',
  type: 'message',
  role: 'assistant',
  model: 'claude-sonnet-4-5',
  content: [{ type: 'text', text: 'Yes.' }],
  usage: { input_tokens: 3, output_tokens: 1 },
  stop_reason: 'end_turn',
  stop_sequence: null,
}

interface Reply {
  readonly status: number
  readonly body: string
}

/** On a new connection. */
function send(
  path: string,
  key: string,
  body?: object,
  method = body === undefined ? 'GET' : 'POST',
  url = world.url,
): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    const sent = request(`${url}${path}`, { method, headers, agent: false }, (reply) => {
      let text = ''
      reply.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
      reply.on('end', () => resolve({ status: reply.statusCode ?? 0, body: text }))
    })
    sent.on('error', reject).end(body && JSON.stringify(body))
  })
}

const chat = (key: string, model = 'm', url = world.url) =>
  send(
    '/v1/chat/completions',
    key,
    { model, max_tokens: 5, messages: [{ role: 'user', content: 'Really?' }] },
    'POST',
    url,
  )

const statuses = async (replies: readonly Promise<Reply>[]): Promise<Readonly<Record<number, number>>> => {
  const counts: Record<number, number> = {}
  for (const reply of await Promise.all(replies)) counts[reply.status] = (counts[reply.status] ?? 0) + 1
  return counts
}

const many = <Result>(make: (i: number) => Result): Result[] => Array.from({ length: MANY }, (_, i) => make(i))

describe('several relay threads', () => {
  it('charge each request once, to one balance', async () => {
    const user = await world.addUser('payer', 1_000_000)
    const key = await world.addToken(user)
    expect(await statuses(many(() => chat(key)))).toEqual({ 200: MANY })
    const [row] = await world.rows(
      "select count(*) as charges, sum(amount) as amount from log where username = 'payer' and type = 2",
    )
    expect(row).toEqual({ charges: MANY, amount: MANY * 5_000 })
  })

  it('each serve websockets of Responses, whose requests are charged once', async () => {
    const user = await world.addUser('talker', 1_000_000)
    const headers = { authorization: `Bearer ${await world.addToken(user)}` }
    const talk = async () => {
      const client = await openRealtimeClient(`${world.url}/v1/responses`, [], { headers })
      const asked = { type: 'response.create', model: 'claude-sonnet-4-5', input: 'Really?', store: false }
      client.send(asked)
      const { id } = (await client.take('response.completed'))['response'] as { readonly id: string }
      client.send({ ...asked, previous_response_id: id })
      await client.take('response.completed')
      await client.close()
    }
    await Promise.all(Array.from({ length: 6 }, talk))
    const [row] = await world.rows("select count(*) as charges from log where username = 'talker' and type = 2")
    expect(row).toEqual({ charges: 12 })
  })

  it('charge by a changed price override everywhere, from the next request on', async () => {
    await world.addChannel(site.url, ['overridden'], { model_configs: '' })
    const user = await world.addUser('overrider', 1_000_000)
    const key = await world.addToken(user)
    for (const ratio of [7, 9]) {
      const value = JSON.stringify({ overridden: { ratio } })
      // oxlint-disable-next-line no-await-in-loop -- the second price replaces the first
      await world.root.call(updateOption, { body: { key: 'PriceOverrides', value } })
      // oxlint-disable-next-line no-await-in-loop -- see above
      expect(await statuses(many(() => chat(key, 'overridden')))).toEqual({ 200: MANY })
    }
    const [row] = await world.rows("select sum(amount) as amount from log where username = 'overrider' and type = 2")
    expect(row).toEqual({ amount: MANY * 4 * (7_000 + 9_000) })
  })

  it('never spend more than a token has, all together', async () => {
    const key = await world.addToken(world.root, { unlimited_quota: false, remain_quota: 100 })
    const counts = await statuses(many(() => chat(key)))
    expect(Object.keys(counts).toSorted()).toEqual(['200', '403'])
    expect((counts[200] ?? 0) * 5).toBeLessThanOrEqual(100)
  })

  it('count one limit per minute exactly', async () => {
    const key = await world.addToken(world.root, { rpm: 12 })
    expect(await statuses(many(() => chat(key)))).toEqual({ 200: 12, 429: MANY - 12 })
  })

  it('count the limit of a channel exactly', async () => {
    await world.addChannel(site.url, ['measured'], { ratelimit: 7 })
    const key = await world.addToken(world.root)
    expect(await statuses(many(() => chat(key, 'measured')))).toEqual({ 200: 7, 429: MANY - 7 })
  })

  it('count what a key has open at the same time', async () => {
    const key = await world.addToken(world.root, { concurrency: 2 })
    waiting = 0
    slow = Promise.withResolvers()
    let over = 0
    const replies = many(() => chat(key).finally(() => (over += 1)))
    await expect.poll(() => [over, waiting]).toEqual([MANY - 2, 2])
    slow.resolve()
    expect(await statuses(replies)).toEqual({ 200: 2, 429: MANY - 2 })
    expect((await chat(key)).status).toBe(200)
  })

  it('show the calls of all, and stop one wherever it is', async () => {
    const key = await world.addToken(world.root)
    waiting = 0
    slow = Promise.withResolvers()
    const replies = many(() => chat(key))
    await expect.poll(() => waiting).toBe(MANY)
    const running = await world.root.call(listRunningCalls)
    expect(running).toHaveLength(MANY)
    for (const { request_id } of running) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other, so that each must be found
      await world.root.call(stopRunningCall, { body: { request_id } })
    }
    expect(await statuses(replies)).toEqual({ 400: MANY })
    expect(await world.root.call(listRunningCalls)).toEqual([])
    slow.resolve()
  })

  it('refuse a key everywhere as soon as it is switched off', async () => {
    const key = await world.addToken(world.root, { name: 'to be switched off' })
    expect(await statuses(many(() => chat(key)))).toEqual({ 200: MANY })
    const [row] = await world.rows(`select id from token where name = 'to be switched off'`)
    await world.root.call(updateToken, { query: { status_only: 'true' }, body: { id: Number(row?.['id']), status: 2 } })
    expect(await statuses(many(() => chat(key)))).toEqual({ 401: MANY })
  })

  it('leave a provider alone when it has asked one of them to', async () => {
    const key = await world.addToken(world.root)
    status = 429
    try {
      expect((await chat(key, 'busy')).status).toBe(429)
      // The others are told while this reply comes back.
      const before = asked()
      await world.rows('select 1')
      expect(Object.keys(await statuses(many(() => chat(key, 'busy'))))).toEqual(['429'])
      expect(asked()).toBe(before)
    } finally {
      status = 200
    }
  })

  it('find a response that another one has cached', async () => {
    const key = await world.addToken(world.root)
    const model = 'claude-sonnet-4-5'
    const first = await send('/v1/responses', key, { model, input: 'Really?' })
    const { id } = JSON.parse(first.body) as { id: string }
    const next = many(() => send('/v1/responses', key, { model, input: 'And now?', previous_response_id: id }))
    expect(await statuses(next)).toEqual({ 200: MANY })
    expect(await statuses(many(() => send(`/v1/responses/${id}`, key)))).toEqual({ 200: MANY })
    expect((await send(`/v1/responses/${id}`, key, undefined, 'DELETE')).status).toBe(200)
    expect(await statuses(many(() => send(`/v1/responses/${id}`, key)))).toEqual({ 404: MANY })
  })

  it('show and cancel what another one makes in the background', async () => {
    slow = Promise.withResolvers()
    const key = await world.addToken(world.root)
    const asked = waiting
    const begun = await Promise.all(
      many(() => send('/v1/responses', key, { model: 'm', input: 'x', background: true })),
    )
    const ids = begun.map(({ body }) => (JSON.parse(body) as { id: string }).id)
    const statusOf = ({ body }: Reply) => (JSON.parse(body) as { status: string }).status
    await expect.poll(() => waiting).toBe(asked + MANY)
    const [cancelled, left] = [ids.slice(1), ids[0]]
    const calls = cancelled.map((id) => send(`/v1/responses/${id}/cancel`, key, {}))
    expect(new Set((await Promise.all(calls)).map(statusOf))).toEqual(new Set(['cancelled']))
    // Each thread learns of those within its beat, and lets go of their calls.
    await expect.poll(async () => (await world.rows('select * from hold')).length, { timeout: 10_000 }).toBe(1)
    expect(statusOf(await send(`/v1/responses/${left}`, key))).toBe('in_progress')
    slow.resolve()
    await expect.poll(async () => statusOf(await send(`/v1/responses/${left}`, key))).toBe('completed')
  })

  it('count the requests of one address together', async () => {
    const key = await world.addToken(world.root)
    const limit = (value: number) => world.root.call(updateOption, { body: { key: 'AddressRequestsPerMinute', value } })
    await limit(9)
    try {
      const counts = await statuses(many(() => chat(key)))
      expect(counts).toEqual({ 200: 9, 429: MANY - 9 })
    } finally {
      await limit(0)
    }
  })

  it('are counted together', async () => {
    const before = await requestsCounted()
    const key = await world.addToken(world.root)
    await Promise.all(many(() => chat(key)))
    await expect.poll(requestsCounted).toBe(before + MANY)
  })
})

it('a stop lets answers finish in every thread, and serves the console until then', async () => {
  const own = await openGatewayWorld({
    SLUICE_RELAY_THREADS: '2',
    SLUICE_DRAIN_TIMEOUT: '10',
    SLUICE_DRAIN_DELAY: '0.5',
  })
  try {
    await own.addChannel(site.url, ['m'])
    const key = await own.addToken(own.root)
    waiting = 0
    slow = Promise.withResolvers()
    const replies = many(() => chat(key, 'm', own.url))
    await expect.poll(() => waiting).toBe(MANY)
    const stopped = own.stop()
    await expect.poll(async () => (await send('/readyz', key, undefined, 'GET', own.url)).status).toBe(503)
    expect((await send('/api/status', key, undefined, 'GET', own.url)).status).toBe(200)
    slow.resolve()
    expect(await statuses(replies)).toEqual({ 200: MANY })
    await stopped
    expect(await own.rows('select count(*) as charges from log where type = 2')).toEqual([{ charges: MANY }])
  } finally {
    slow?.resolve()
    await own.close()
  }
})

it('a port that another program uses is refused, though threads could share it', async () => {
  const port = new URL(world.url).port
  await expect(openGatewayWorld({ SLUICE_RELAY_THREADS: '2', PORT: port })).rejects.toThrow('EADDRINUSE')
})

/** Calls that the provider got. */
const asked = () => site.seen.length

async function requestsCounted(): Promise<number> {
  const { body } = await send('/metrics', METRICS)
  const lines = body.split('\n').filter((line) => line.startsWith('sluice_relay_requests_total{'))
  return lines.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0)
}
