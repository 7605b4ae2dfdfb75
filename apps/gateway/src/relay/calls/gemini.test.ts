import { type GatewayWorld, openGatewayWorld } from '@sluice/testkit/gateway-world'
import { type RawUpstream, startRawUpstream } from '@sluice/testkit/raw-upstream'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'

/** The Gemini API of AI Studio. */
const GEMINI = { type: 24 }

let upstream: RawUpstream
let world: GatewayWorld
let key = ''

const message = (said: string, more: object = {}) => ({
  candidates: [{ content: { parts: [{ text: said }], role: 'model' }, index: 0, ...more }],
  usageMetadata: {
    promptTokenCount: 10,
    candidatesTokenCount: said.length,
    thoughtsTokenCount: 2,
    totalTokenCount: 12,
  },
  modelVersion: 'gemini-2.5-flash',
  newField: { kept: 1.0 },
})
const END = { finishReason: 'STOP' }
const events = (messages: readonly object[]) => messages.map((each) => `data: ${JSON.stringify(each)}\r\n\r\n`).join('')

function answerTo(request: string): { readonly type: string; readonly body: string; readonly status?: number } {
  if (request.includes('/models/breaks')) return { type: 'text/event-stream', body: events([message('ab')]) }
  if (request.includes('/models/fails')) {
    const error = { code: 400, message: 'API key not valid.', status: 'INVALID_ARGUMENT' }
    return { type: 'application/json', status: 400, body: JSON.stringify({ error }) }
  }
  if (request.includes(':embedContent') || request.includes(':batchEmbedContents')) {
    return { type: 'application/json', body: '{"embedding":{"values":[0.5]}}' }
  }
  if (request.includes(':countTokens')) return { type: 'application/json', body: '{"totalTokens":31}' }
  return request.includes(':streamGenerateContent')
    ? { type: 'text/event-stream', body: events([message('ab'), message('abc', END)]) }
    : { type: 'application/json; charset=UTF-8', body: JSON.stringify(message('abc', END), null, 2) }
}

beforeAll(async () => {
  upstream = await startRawUpstream((socket, request) => {
    const { type, body, status = 200 } = answerTo(request)
    const head = `HTTP/1.1 ${status} OK\r\nContent-Type: ${type}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n`
    socket.write(`${head}\r\n${body}`)
  })
  world = await openGatewayWorld()
  await world.addChannel(upstream.url, ['gemini', 'breaks', 'fails'], {
    ...GEMINI,
    model_mapping: '{"gemini":"gemini-2.5-flash"}',
    model_configs: JSON.stringify(
      Object.fromEntries(
        ['gemini-2.5-flash', 'breaks', 'fails'].map((name) => [name, { ratio: 1, completion_ratio: 2 }]),
      ),
    ),
  })
  key = await world.addToken(world.root)
})
afterEach(() => world.verify())
afterAll(async () => {
  await world.close()
  await upstream.close()
})

const HI = { contents: [{ role: 'user', parts: [{ text: 'Hi' }] }], newField: { kept: 1 } }

const ask = (path: string, body: object = HI, headers: Readonly<Record<string, string>> = { 'x-goog-api-key': key }) =>
  fetch(world.url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })

test('a body names the model of its path, or it is refused', { tags: 'S42' }, async () => {
  const other = await ask('/v1beta/models/gemini:generateContent', { ...HI, model: 'models/dear' })
  expect([other.status, await other.json()]).toMatchObject([400, { error: { status: 'INVALID_ARGUMENT' } }])
  const routed = await ask('/v1beta/models/gemini:generateContent', {
    ...HI,
    generation_config: { routing_config: { manual_mode: { model_name: 'dear' } } },
  })
  expect(routed.status).toBe(400)
  const same = await ask('/v1beta/models/gemini:generateContent', { ...HI, model: 'models/gemini' })
  expect(same.status).toBe(200)
  expect(upstream.requests.at(-1)).toContain('"model":"models/gemini-2.5-flash"')
})

async function lastCharge() {
  const [row] = await world.rows('select * from log where type = 2 order by id desc limit 1')
  if (row === undefined) throw new Error('nothing was charged')
  return row
}

test.each(['/v1beta', '/v1'])(
  '%s: a plain answer passes byte for byte and is charged by its usage',
  async (version) => {
    const reply = await ask(`${version}/models/gemini:generateContent`)
    expect([reply.status, await reply.text()]).toEqual([200, JSON.stringify(message('abc', END), null, 2)])
    expect(upstream.requests.at(-1)).toContain('POST /v1beta/models/gemini-2.5-flash:generateContent HTTP/1.1')
    expect(upstream.requests.at(-1)).toContain(JSON.stringify(HI))
    expect(await lastCharge()).toMatchObject({
      prompt_tokens: 10,
      completion_tokens: 5,
      estimated: 0,
      ended: 'complete',
    })
  },
)

test('events pass as they arrived, to a client that sends its key in the query', async () => {
  const reply = await ask(`/v1beta/models/gemini:streamGenerateContent?alt=sse&key=${key}`, HI, {})
  expect(reply.headers.get('content-type')).toMatch(/^text\/event-stream/)
  expect(await reply.text()).toBe(events([message('ab'), message('abc', END)]))
  expect(upstream.requests.at(-1)).toContain('gemini-2.5-flash:streamGenerateContent?alt=sse HTTP/1.1')
  expect(await lastCharge()).toMatchObject({ completion_tokens: 5, is_stream: 1, ended: 'complete' })
  expect(world.log.join('\n')).not.toContain(key)
})

test('without alt=sse the same stream is one list', async () => {
  const reply = await ask('/v1beta/models/gemini:streamGenerateContent')
  expect(reply.headers.get('content-type')).toMatch(/^application\/json/)
  expect(await reply.json()).toEqual([message('ab'), message('abc', END)])
})

test('a stream that breaks off ends with an error, in the client’s framing', async () => {
  const error = { code: 502, status: 'INTERNAL', message: expect.stringContaining('was interrupted') }
  const list = await ask('/v1beta/models/breaks:streamGenerateContent')
  expect(await list.json()).toMatchObject([message('ab'), { error }])
  const stream = await ask('/v1beta/models/breaks:streamGenerateContent?alt=sse')
  const last =
    (await stream.text())
      .trim()
      .split(/\r?\n\r?\n/)
      .at(-1) ?? ''
  expect(JSON.parse(last.slice(6))).toMatchObject({ error })
})

test('errors have the shape of Google’s', async () => {
  const cases = [
    [await ask('/v1beta/models/gemini:generateContent', HI, { 'x-goog-api-key': 'nonsense' }), 401, 'UNAUTHENTICATED'],
    [await ask('/v1beta/models/nobody:generateContent'), 404, 'NOT_FOUND'],
    [await ask('/v1beta/models/gemini:generateContent', {}), 400, 'INVALID_ARGUMENT'],
    [await ask('/v1beta/models/gemini:predict'), 501, 'UNIMPLEMENTED'],
    [await ask('/v1beta/models/fails:generateContent'), 400, 'INVALID_ARGUMENT'],
  ] as const
  for (const [reply, code, status] of cases) {
    expect(reply.status).toBe(code)
    expect(await reply.json()).toMatchObject({ error: { code, status, message: expect.any(String) } })
  }
})

test('its own embedding calls are forwarded under the provider’s model name, and charged', async () => {
  const content = { parts: [{ text: 'two words' }] }
  const one = await ask('/v1beta/models/gemini:embedContent', { model: 'models/gemini', content })
  expect(await one.json()).toEqual({
    embedding: { values: [0.5] },
    usageMetadata: expect.objectContaining({ promptTokenCount: 3 }) as object,
  })
  expect(upstream.requests.at(-1)).toContain('POST /v1beta/models/gemini-2.5-flash:embedContent HTTP/1.1')
  expect(upstream.requests.at(-1)).toContain('{"model":"models/gemini-2.5-flash","content"')
  const charge = await lastCharge()
  expect(charge).toMatchObject({ estimated: 1, completion_tokens: 0, ended: 'complete' })
  expect(Number(charge['prompt_tokens'])).toBeGreaterThan(1)
  const requests = [{ model: 'models/gemini', content }]
  expect((await ask('/v1beta/models/gemini:batchEmbedContents', { requests })).status).toBe(200)
  expect(upstream.requests.at(-1)).toContain('"requests":[{"model":"models/gemini-2.5-flash"')
})

test('vectors of a model other than the path’s are refused, because its price would not be charged', async () => {
  const content = HI.contents[0]
  const requests = upstream.requests.length
  for (const [action, body] of [
    ['embedContent', { model: 'models/breaks', content }],
    [
      'batchEmbedContents',
      {
        requests: [
          { model: 'models/gemini', content },
          { model: 'models/breaks', content },
        ],
      },
    ],
  ] as const) {
    const reply = await ask(`/v1beta/models/gemini:${action}`, body)
    expect([reply.status, await reply.json()]).toMatchObject([400, { error: { status: 'INVALID_ARGUMENT' } }])
  }
  expect(upstream.requests.length).toBe(requests)
})

test('tokens are counted by the provider and cost nothing', async () => {
  const before = await world.rows('select count(*) as n from transfer')
  const reply = await ask('/v1beta/models/gemini:countTokens')
  expect([reply.status, await reply.json()]).toEqual([200, { totalTokens: 31 }])
  expect(await world.rows('select count(*) as n from transfer')).toEqual(before)
  const refused = await ask('/v1beta/models/gemini:countTokens', HI, { 'x-goog-api-key': 'nonsense' })
  expect(refused.status).toBe(401)
})

test('tokens of a model that another dialect serves are counted here', async () => {
  await world.addChannel(upstream.url, ['other'])
  const reply = await ask('/v1beta/models/other:countTokens')
  const { totalTokens } = (await reply.json()) as { totalTokens: number }
  expect(totalTokens).toBeGreaterThan(0)
  expect(totalTokens).not.toBe(31)
})

test.each(['generateContent', 'streamGenerateContent', 'embedContent', 'batchEmbedContents', 'countTokens'])(
  '%s requires a key, allows only that key’s models, and where it costs something, requires quota',
  async (action) => {
    const body = { ...HI, content: HI.contents[0], requests: [{ content: HI.contents[0] }] }
    expect((await ask(`/v1beta/models/gemini:${action}`, body, {})).status).toBe(401)
    const bound = await world.addToken(world.root, { models: 'breaks' })
    expect((await ask(`/v1beta/models/gemini:${action}`, body, { 'x-goog-api-key': bound })).status).toBe(403)
    const poor = await world.addToken(world.root, { unlimited_quota: false, remain_quota: 1 })
    const reply = await ask(`/v1beta/models/gemini:${action}`, body, { 'x-goog-api-key': poor })
    expect(reply.status).toBe(action === 'countTokens' ? 200 : 403)
  },
)

test('the models are listed as Google lists them', async () => {
  const look = async (path: string) =>
    (await fetch(world.url + path, { headers: { 'x-goog-api-key': key } })).json() as Promise<{ models: object[] }>
  const gemini = {
    name: 'models/gemini',
    displayName: 'gemini',
    supportedGenerationMethods: ['generateContent', 'streamGenerateContent', 'countTokens'],
  }
  expect((await look('/v1beta/models?pageSize=50')).models).toContainEqual(gemini)
  expect(await look('/v1beta/models/gemini')).toEqual(gemini)
  expect(await look('/v1beta/models/nobody')).toMatchObject({ error: { code: 404, status: 'NOT_FOUND' } })
})
