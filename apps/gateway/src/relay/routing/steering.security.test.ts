import { createToken } from '@sluice/contract/routes/tokens'
import { type GatewayWorld, openGatewayWorld } from '@sluice/testkit/gateway-world'
import { type RawUpstream, startRawUpstream } from '@sluice/testkit/raw-upstream'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'

let upstream: RawUpstream
let world: GatewayWorld
let key = ''

/** The cost per call, in dollars, that the provider reports. */
let cost = 0
const USAGE = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 }

function answerTo(request: string): { readonly status: number; readonly body: object } {
  if (request.includes('"model":"broken"')) return { status: 500, body: { error: { message: 'out of order' } } }
  const choices = [{ index: 0, message: { role: 'assistant', content: 'Hello' }, finish_reason: 'stop' }]
  return { status: 200, body: { id: 'x', object: 'chat.completion', choices, usage: { ...USAGE, cost } } }
}

beforeAll(async () => {
  upstream = await startRawUpstream((socket, request) => {
    const { status, body } = answerTo(request)
    const text = JSON.stringify(body)
    const head = `HTTP/1.1 ${status} OK\r\nContent-Type: application/json\r\nContent-Length: ${text.length}\r\n`
    socket.write(`${head}\r\n${text}`)
  })
  world = await openGatewayWorld()
  await world.addChannel(upstream.url, ['cheap', 'broken', 'dear'], {
    model_configs: JSON.stringify({ cheap: { ratio: 1 }, broken: { ratio: 1 }, dear: { ratio: 50 } }),
  })
  const ann = await world.addUser('ann', 100_000_000)
  const body = { name: 'k', unlimited_quota: true, models: 'cheap,broken' }
  key = (await ann.call(createToken, { body })).key
})
afterEach(() => world.verify())
afterAll(async () => {
  await world.close()
  await upstream.close()
})

const chat = (more: object) => ({ model: 'cheap', messages: [{ role: 'user', content: 'Hi' }], max_tokens: 9, ...more })
const BODIES: Readonly<Record<string, (more: object) => object>> = {
  '/v1/chat/completions': chat,
  '/v1/messages': chat,
  '/v1/responses': (more) => ({ model: 'cheap', input: 'Hi', ...more }),
  '/v1/completions': (more) => ({ model: 'cheap', prompt: 'Hi', ...more }),
  '/v1/embeddings': (more) => ({ model: 'cheap', input: 'Hi', ...more }),
  '/v1/moderations': (more) => ({ model: 'cheap', input: 'Hi', ...more }),
  '/v1/images/generations': (more) => ({ model: 'cheap', prompt: 'Hi', ...more }),
  '/v1/images/edits': (more) => ({ model: 'cheap', prompt: 'Hi', image: 'data:image/png;base64,AAAA', ...more }),
  '/v1/audio/speech': (more) => ({ model: 'cheap', input: 'Hi', voice: 'alloy', ...more }),
  '/v1/rerank': (more) => ({ model: 'cheap', query: 'Hi', documents: ['Hi'], ...more }),
}

const post = (path: string, body: object, bearer = key) =>
  fetch(world.url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${bearer}` },
    body: JSON.stringify(body),
  })

const lastCharge = async () =>
  (await world.rows(`select * from transfer where kind = 'consume' order by at_ms desc, request_id desc limit 1`))[0]

test.each(Object.keys(BODIES))(
  '%s: what could lead to another model or a dearer route is refused by its name',
  { tags: 'S42' },
  async (path) => {
    const before = upstream.requests.length
    for (const [field, value] of [
      ['preset', 'mine'],
      ['fallbacks', ['dear']],
      ['providerOptions', { gateway: { models: ['dear'] } }],
      ['compound_custom', { models: { answering_model: 'dear' } }],
      ['route', 'sort'],
      ['service_tier', 'priority'],
      ['speed', 'fast'],
      ['inference_geo', 'us'],
      ['models', 'dear'],
    ] as const) {
      const reply = await post(path, BODIES[path]?.({ [field]: value }) ?? {})
      expect([field, reply.status, await reply.text()]).toEqual([field, 400, expect.stringContaining(field)])
    }
    expect(upstream.requests).toHaveLength(before)
  },
)

test.each(['/v1/images/edits', '/v1/images/variations', '/v1/audio/transcriptions', '/v1/audio/translations'])(
  '%s: the same in a form',
  { tags: 'S42' },
  async (path) => {
    const before = upstream.requests.length
    for (const field of ['models', 'preset', 'Fallbacks', 'providerOptions', 'compound-custom']) {
      const form = new FormData()
      form.set('model', 'cheap')
      form.set('prompt', 'Hi')
      const file = new Blob(['RIFF'])
      form.set(path.includes('audio') ? 'file' : 'image', file, 'file.bin')
      form.set(field, 'dear')
      const headers = { authorization: `Bearer ${key}` }
      const reply = await fetch(world.url + path, { method: 'POST', headers, body: form })
      expect([field, reply.status, await reply.text()]).toEqual([field, 400, expect.stringContaining(field)])
    }
    expect(upstream.requests).toHaveLength(before)
  },
)

test('a list of models is checked against the key, each by its position', { tags: 'S42' }, async () => {
  const reply = await post('/v1/chat/completions', chat({ models: ['cheap', 'dear'] }))
  expect([reply.status, await reply.json()]).toMatchObject([
    403,
    { error: { code: 'model_not_allowed', param: 'models[1]' } },
  ])
})

test('further models are tried here, each at its own price; no provider sees the list', { tags: 'S42' }, async () => {
  const all = await world.addToken(world.root)
  const before = upstream.requests.length
  const body = { ...chat({ model: 'broken' }), models: ['broken', 'dear'], route: 'fallback' }
  const reply = await post('/v1/chat/completions', body, all)
  expect(reply.status).toBe(200)
  const sent = upstream.requests.slice(before)
  expect(sent.at(-1)).toContain('"model":"dear"')
  for (const request of sent) expect(request).not.toContain('"models"')
  expect(await lastCharge()).toMatchObject({ amount: 50n * 15n * 1_000n, model: 'dear' })
})

test('a client that steers the provider is charged no less than the provider reports', { tags: 'S42' }, async () => {
  const steered = chat({ provider: { order: ['dearest'] }, plugins: [{ id: 'web' }] })
  cost = 0.02
  expect((await post('/v1/chat/completions', steered)).status).toBe(200)
  expect(await lastCharge()).toMatchObject({ amount: 10_000n * 1_000n })
  expect((await post('/v1/chat/completions', chat({}))).status).toBe(200)
  expect(await lastCharge()).toMatchObject({ amount: 15n * 1_000n })
  cost = 0
  expect((await post('/v1/chat/completions', steered)).status).toBe(200)
  expect(await lastCharge()).toMatchObject({ amount: 15n * 1_000n })
})

test('a client that steers the provider needs quota for more than the list price', { tags: 'S42' }, async () => {
  const poor = await world.addUser('poor', 40_000)
  const bearer = await world.addToken(poor)
  const plain = await post('/v1/chat/completions', chat({}), bearer)
  const steered = await post('/v1/chat/completions', chat({ provider: { sort: 'throughput' } }), bearer)
  expect([plain.status, steered.status]).toEqual([200, 403])
})

test('an advisor is a model of its own: the beta that makes one is refused', { tags: 'S42' }, async () => {
  const reply = await fetch(`${world.url}/v1/messages`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      authorization: `Bearer ${key}`,
      'anthropic-beta': 'tools-1,advisor-tool-2026-03-01',
    },
    body: JSON.stringify(chat({ tools: [{ type: 'advisor_20260301', name: 'advisor', model: 'dear' }] })),
  })
  expect([reply.status, await reply.text()]).toEqual([400, expect.stringContaining('anthropic-beta')])
})
