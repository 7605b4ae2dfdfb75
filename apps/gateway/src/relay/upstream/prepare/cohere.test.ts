import type { Socket } from 'node:net'
import { type GatewayWorld, openGatewayWorld } from '@sluice/testkit/gateway-world'
import { type RawUpstream, startRawUpstream } from '@sluice/testkit/raw-upstream'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'

const CHAT = 'command-a-03-2025'
/** Costs 0.002 USD per search in the price book. */
const RERANK = 'rerank-v3.5'
const SEARCH_IN_QUOTA = 1_000n

let upstream: RawUpstream
let world: GatewayWorld
let key = ''
let answer: (socket: Socket) => void = (socket) => socket.destroy()

beforeAll(async () => {
  upstream = await startRawUpstream((socket) => answer(socket))
  world = await openGatewayWorld()
  await world.addChannel(upstream.url, [CHAT, 'embed-v4.0'], { type: 35 })
  await world.addChannel(upstream.url, [RERANK], { type: 35, model_configs: '' })
  key = await world.addToken(world.root)
})
afterEach(() => world.verify())
afterAll(async () => {
  await world.close()
  await upstream.close()
})

function whole(body: object) {
  const text = JSON.stringify(body)
  answer = (socket) => {
    socket.write(`HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${text.length}\r\n\r\n${text}`)
  }
}

function streamed(events: readonly Readonly<Record<string, unknown>>[]) {
  const text = events.map((event) => `event: ${String(event['type'])}\ndata: ${JSON.stringify(event)}\n\n`).join('')
  answer = (socket) => {
    socket.end(`HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n${text}`)
  }
}

const post = (path: string, body: object) =>
  fetch(world.url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })

function lastRequest(): { readonly head: string; readonly body: unknown } {
  const [head = '', body = ''] = upstream.requests.at(-1)?.split('\r\n\r\n') ?? []
  return { head, body: JSON.parse(body) as unknown }
}

async function lastCharge() {
  const [row] = await world.rows('select * from log where type = 2 order by id desc limit 1')
  return row
}

const usage = { billed_units: { input_tokens: 9, output_tokens: 5 } }

test('a streamed chat with a tool: the plan is its reasoning', async () => {
  const call = { id: 't-1', type: 'function', function: { name: 'time', arguments: '' } }
  streamed([
    { type: 'message-start', id: 'm-1', delta: { message: { role: 'assistant' } } },
    { type: 'tool-plan-delta', delta: { message: { tool_plan: 'I will look.' } } },
    { type: 'tool-call-start', index: 0, delta: { message: { tool_calls: call } } },
    { type: 'tool-call-delta', index: 0, delta: { message: { tool_calls: { function: { arguments: '{}' } } } } },
    { type: 'tool-call-end', index: 0 },
    { type: 'message-end', delta: { finish_reason: 'TOOL_CALL', usage } },
  ])
  const tools = [{ type: 'function', function: { name: 'time', parameters: { type: 'object', properties: {} } } }]
  const text = await (await world.chat(key, { model: CHAT, stream: true, tools, top_p: 0.5 })).text()
  expect(text).toContain('"reasoning_content":"I will look."')
  expect(text).toContain('"name":"time"')
  expect(text).toContain('"finish_reason":"tool_calls"')
  expect(text.endsWith('data: [DONE]\n\n')).toBe(true)
  const { head, body } = lastRequest()
  expect(head).toMatch(/^POST \/v2\/chat HTTP/)
  expect(body).toMatchObject({
    model: CHAT,
    stream: true,
    p: 0.5,
    messages: [{ role: 'user', content: 'Say something.' }],
  })
  expect(await lastCharge()).toMatchObject({ prompt_tokens: 9, completion_tokens: 5, estimated: 0, ended: 'complete' })
})

test('a client of Responses is answered by Cohere as well', async () => {
  const message = { role: 'assistant', content: [{ type: 'text', text: 'Hi' }] }
  whole({ id: 'm-1', finish_reason: 'COMPLETE', message, usage })
  const reply = await post('/v1/responses', { model: CHAT, input: 'Hello' })
  expect(await reply.json()).toMatchObject({
    object: 'response',
    status: 'completed',
    output: [{ type: 'message', content: [{ type: 'output_text', text: 'Hi' }] }],
    usage: { input_tokens: 9, output_tokens: 5 },
  })
})

test.each(['/v1/rerank', '/v2/rerank'])('%s is charged by searches, and held before', async (path) => {
  whole({ id: 'r-1', results: [{ index: 1, relevance_score: 0.9 }], meta: { billed_units: { search_units: 1 } } })
  const reply = await post(path, { model: RERANK, query: 'q', documents: ['a', 'b'], top_n: 1, return_documents: true })
  expect(await reply.json()).toMatchObject({
    results: [{ index: 1, relevance_score: 0.9, document: { text: 'b' } }],
    meta: { billed_units: { search_units: 1 } },
  })
  expect(lastRequest()).toMatchObject({
    head: expect.stringMatching(/^POST \/v2\/rerank HTTP/) as string,
    body: { model: RERANK, query: 'q', documents: ['a', 'b'], top_n: 1 },
  })
  expect(await lastCharge()).toMatchObject({ amount: SEARCH_IN_QUOTA * 1_000n, estimated: 0, ended: 'complete' })
})

test('embeddings keep their order and their count', async () => {
  whole({ embeddings: { float: [[1], [2]] }, meta: { billed_units: { input_tokens: 4 } } }) // prettier-ignore
  const reply = await post('/v1/embeddings', { model: 'embed-v4.0', input: ['a', 'b'] })
  expect(await reply.json()).toMatchObject({
    data: [{ embedding: [1] }, { embedding: [2] }],
    usage: { prompt_tokens: 4 },
  })
  expect(lastRequest().head).toMatch(/^POST \/v2\/embed HTTP/)
  expect(await lastCharge()).toMatchObject({ prompt_tokens: 4, estimated: 0 })
})

test.each([
  ['query', { documents: ['a'] }],
  ['documents', { query: 'q', documents: [] }],
])('a ranking without %s is refused by its name', async (field, body) => {
  const reply = await post('/v1/rerank', { model: RERANK, ...body })
  expect(reply.status).toBe(400)
  expect(await reply.json()).toMatchObject({ error: { param: field } })
})
