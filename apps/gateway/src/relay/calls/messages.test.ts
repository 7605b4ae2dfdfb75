import type { Socket } from 'node:net'
import { type Emulator, startEmulator } from '@sluice/testkit/emulator/server'
import { type GatewayWorld, openGatewayWorld } from '@sluice/testkit/gateway-world'
import { type RawUpstream, startRawUpstream } from '@sluice/testkit/raw-upstream'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'

const ANTHROPIC = 14
let emulator: Emulator
let anthropic: RawUpstream
let world: GatewayWorld
let key = ''
let answer: (socket: Socket) => void = () => {}

beforeAll(async () => {
  emulator = await startEmulator()
  anthropic = await startRawUpstream((socket) => answer(socket))
  world = await openGatewayWorld({ SLUICE_READ_ON_TIMEOUT: '1' })
  key = await world.addToken(world.root)
  await world.addChannel(anthropic.url, ['claude-native'], { type: ANTHROPIC })
  await world.addChannel(emulator.url, ['emu-fast'])
})
afterEach(() => world.verify())
afterAll(async () => {
  await world.close()
  await emulator.close()
  await anthropic.close()
})

const USAGE = { input_tokens: 12, cache_read_input_tokens: 100, cache_creation_input_tokens: 0, output_tokens: 1 }
const START = {
  type: 'message_start',
  message: { id: 'msg_1', type: 'message', role: 'assistant', model: 'claude', content: [], usage: USAGE },
}
const EVENTS = [
  START,
  { type: 'content_block_start', index: 0, content_block: { type: 'thinking', thinking: '', signature: '' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'thinking_delta', thinking: 'Hm.' } },
  { type: 'ping' },
  { type: 'content_block_delta', index: 0, delta: { type: 'signature_delta', signature: 'EqQB' } },
  { type: 'content_block_stop', index: 0 },
  { type: 'content_block_start', index: 1, content_block: { type: 'of_tomorrow', kept: true } },
  { type: 'content_block_stop', index: 1 },
  { type: 'message_delta', delta: { stop_reason: 'end_turn', stop_sequence: null }, usage: { output_tokens: 9 } },
  { type: 'message_stop' },
]
const written = (events: readonly { readonly type: string }[]) =>
  events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('')

function reply(status: string, type: string, body: string): (socket: Socket) => void {
  const head = `HTTP/1.1 ${status}\r\nContent-Type: ${type}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n`
  return (socket) => socket.write(head + body)
}

type Headers = Readonly<Record<string, string>>

function post(path: string, body: object, more: Headers = {}, signal: AbortSignal | null = null): Promise<Response> {
  const usual = { 'content-type': 'application/json', 'x-api-key': key, 'anthropic-version': '2023-06-01' }
  const headers = { ...usual, ...more }
  return fetch(world.url + path, { method: 'POST', headers, body: JSON.stringify(body), signal })
}

const ask = (fields: object, headers?: Headers, signal?: AbortSignal) =>
  post('/v1/messages', { max_tokens: 64, messages: [{ role: 'user', content: 'Hello' }], ...fields }, headers, signal)

const lastRequest = () => anthropic.requests.at(-1) ?? ''

test('a stream of the same dialect passes byte for byte, and is charged by its own usage', async () => {
  answer = reply('200 OK', 'text/event-stream', written(EVENTS))
  const got = await ask({ model: 'claude-native', stream: true })
  expect(await got.text()).toBe(written(EVENTS))
  const [row] = await world.rows('select * from log where type = 2 order by id desc limit 1')
  expect(row).toMatchObject({ prompt_tokens: 112, completion_tokens: 9, estimated: 0, ended: 'complete', is_stream: 1 })
})

test('the provider gets the body unchanged, and the betas that the client named', async () => {
  answer = reply('200 OK', 'text/event-stream', written(EVENTS))
  const betas = 'interleaved-thinking-2025-05-14'
  await (await ask({ model: 'claude-native', stream: true, kept: { a: 1 } }, { 'anthropic-beta': betas })).text()
  expect(lastRequest()).toContain('POST /v1/messages HTTP/1.1')
  expect(lastRequest().toLowerCase()).toContain(`anthropic-beta: ${betas}`)
  expect(lastRequest().match(/anthropic-version: 2023-06-01/gi)).toHaveLength(1)
  expect(lastRequest()).toContain('"kept":{"a":1}')
  expect(lastRequest()).toContain('x-api-key: upstream-key')
  expect(lastRequest()).not.toContain(key)
})

test('a client that leaves early is charged for the text that arrived, not for the guess in the first event', async () => {
  const said = 'one two three four five six seven eight nine ten '.repeat(10)
  const more = { type: 'content_block_delta', index: 0, delta: { type: 'thinking_delta', thinking: said } }
  const body = written([...EVENTS.slice(0, 2), more])
  // The announced length exceeds the body.
  const head = `HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nContent-Length: ${body.length + 9}\r\n\r\n`
  answer = (socket) => socket.write(head + body)
  const leaving = new AbortController()
  const got = await ask({ model: 'claude-native', stream: true, max_tokens: 500 }, {}, leaving.signal)
  await got.body?.getReader().read()
  leaving.abort()
  const of = `select * from log where request_id = '${got.headers.get('x-request-id')}' and type = 2`
  await expect.poll(() => world.rows(of)).toHaveLength(1)
  const [row] = await world.rows(of)
  expect(Number(row?.['completion_tokens'])).toBeGreaterThan(80)
})

test('a whole answer where events were requested becomes events', async () => {
  const message = { ...START.message, content: [{ type: 'text', text: 'Hi' }], stop_reason: 'end_turn' }
  answer = reply('200 OK', 'application/json', JSON.stringify(message))
  const text = await (await ask({ model: 'claude-native', stream: true })).text()
  expect(text).toContain('"delta":{"type":"text_delta","text":"Hi"}')
  expect(text).toContain('event: message_stop')
})

test('an error of the provider keeps its type; one of ours has a type of this dialect', async () => {
  const error = { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }
  answer = reply('529 Overloaded', 'application/json', JSON.stringify(error))
  const theirs = (await (await ask({ model: 'claude-native' })).json()) as object
  expect(theirs).toMatchObject({ type: 'error', error: { type: 'overloaded_error' } })
  const ours = await ask({ model: 'unknown-model' })
  expect(ours.status).toBe(404)
  expect(await ours.json()).toMatchObject({ type: 'error', error: { type: 'not_found_error' } })
})

test('an error inside a stream ends it with an error event', async () => {
  const error = { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }
  answer = reply('200 OK', 'text/event-stream', written([...EVENTS.slice(0, 3), error]))
  const text = await (await ask({ model: 'claude-native', stream: true })).text()
  expect(text).toContain('thinking_delta')
  expect(text).toMatch(/event: error\ndata: \{"type":"error","error":\{"type":"\w+","message":"[^"]*Overloaded/)
  expect(text).not.toContain('message_stop')
})

test('a wrong field is named by its path', async () => {
  const got = await ask({ model: 'emu-fast', max_tokens: 'many' })
  expect(got.status).toBe(400)
  expect(await got.json()).toMatchObject({
    type: 'error',
    error: { type: 'invalid_request_error', message: expect.stringContaining('max_tokens') as string },
  })
})

test('a provider of another dialect answers in this one', async () => {
  const plain = (await (await ask({ model: 'emu-fast' })).json()) as { readonly usage: object }
  expect(plain).toMatchObject({ type: 'message', role: 'assistant', stop_reason: 'end_turn' })
  const text = await (await ask({ model: 'emu-fast', stream: true })).text()
  expect(text.startsWith('event: message_start\n')).toBe(true)
  expect(text).toContain('"type":"text_delta"')
  expect(text.endsWith('event: message_stop\ndata: {"type":"message_stop"}\n\n')).toBe(true)
})

test('a client of another dialect gets its answer from this one, and its calls keep the signed thoughts', async () => {
  const call = [
    ...EVENTS.slice(0, 6),
    { type: 'content_block_start', index: 1, content_block: { type: 'tool_use', id: 'toolu_1', name: 'f', input: {} } },
    { type: 'content_block_delta', index: 1, delta: { type: 'input_json_delta', partial_json: '{"a":1}' } },
    { type: 'content_block_stop', index: 1 },
    { type: 'message_delta', delta: { stop_reason: 'tool_use' }, usage: { output_tokens: 9 } },
    { type: 'message_stop' },
  ]
  answer = reply('200 OK', 'text/event-stream', written(call))
  const tools = [{ type: 'function', function: { name: 'f', parameters: { type: 'object' } } }]
  const first = await world.chat(key, { model: 'claude-native', stream: true, tools })
  const text = await first.text()
  expect(lastRequest().match(/anthropic-version: 2023-06-01/gi)).toHaveLength(1)
  expect(lastRequest()).toContain('"tools":[{"name":"f","input_schema":{"type":"object"}}]')
  expect(text).toContain('"finish_reason":"tool_calls"')
  expect(text.endsWith('data: [DONE]\n\n')).toBe(true)
  const details = /"reasoning_details":(\[[^\]]*EqQB[^\]]*\])/.exec(text)?.[1] ?? '[]'
  answer = reply('200 OK', 'application/json', JSON.stringify({ ...START.message, stop_reason: 'end_turn' }))
  const calls = [{ id: 'toolu_1', type: 'function', function: { name: 'f', arguments: '{"a":1}' } }]
  const translated = { role: 'assistant', tool_calls: calls, reasoning_details: JSON.parse(details) as object[] }
  const messages = [
    { role: 'user', content: 'Go' },
    translated,
    { role: 'tool', tool_call_id: 'toolu_1', content: 'one' },
  ]
  await (await world.chat(key, { model: 'claude-native', messages, tools })).text()
  expect(lastRequest()).toMatch(/"type":"thinking","thinking":"[^"]*","signature":"EqQB"\},\{"type":"tool_use"/)
  expect(lastRequest()).toContain(
    '"type":"tool_result","tool_use_id":"toolu_1","content":[{"type":"text","text":"one"}]',
  )
})

test('tokens are counted by a provider that can, and cost nothing', async () => {
  answer = reply('200 OK', 'application/json', '{"input_tokens":2095}')
  const before = await world.rows('select count(*) as n from transfer')
  const got = await post('/v1/messages/count_tokens', { model: 'claude-native', messages: [] })
  expect(await got.json()).toEqual({ input_tokens: 2095 })
  expect(lastRequest()).toContain('POST /v1/messages/count_tokens HTTP/1.1')
  expect(await world.rows('select count(*) as n from transfer')).toEqual(before)
})

test('tokens are counted here where no provider can count them', async () => {
  const prompt = {
    system: 'Be brief.',
    messages: [
      { role: 'user', content: 'What is the weather in Paris?' },
      { role: 'assistant', content: [{ type: 'tool_use', id: 't', name: 'weather', input: { city: 'Paris' } }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't', content: 'Sunny, 24 degrees' }] },
    ],
  }
  answer = reply('404 Not Found', 'application/json', '{"error":{"message":"no such path"}}')
  for (const model of ['emu-fast', 'claude-native']) {
    const got = (await (await post('/v1/messages/count_tokens', { model, ...prompt })).json()) as object
    expect(got).toEqual({ input_tokens: expect.any(Number) as number })
    expect((got as { input_tokens: number }).input_tokens).toBeGreaterThan(20)
    expect((got as { input_tokens: number }).input_tokens).toBeLessThan(80)
  }
})

test('a client without a key counts nothing', async () => {
  const got = await post('/v1/messages/count_tokens', { model: 'emu-fast', messages: [] }, { 'x-api-key': 'wrong' })
  expect(got.status).toBe(401)
  expect(await got.json()).toMatchObject({ type: 'error', error: { type: 'authentication_error' } })
})

test('models are listed in pages where a client asks for them', async () => {
  const headers = { 'x-api-key': key, 'anthropic-version': '2023-06-01' }
  const list = async (query: string) => await (await fetch(`${world.url}/v1/models${query}`, { headers })).json()
  const all = ((await list('')) as { readonly data: readonly { readonly id: string }[] }).data.map(({ id }) => id)
  const [first = '', second = ''] = all
  expect(all.length).toBeGreaterThan(1)
  expect(await list('?limit=1')).toMatchObject({
    data: [{ id: first }],
    has_more: true,
    first_id: first,
    last_id: first,
  })
  expect(await list(`?limit=1&after_id=${first}`)).toMatchObject({ data: [{ id: second }], first_id: second })
  expect(await list(`?limit=1&before_id=${second}`)).toMatchObject({ data: [{ id: first }], has_more: false })
  expect(await list(`?after_id=${all.at(-1)}`)).toEqual({ data: [], has_more: false, first_id: null, last_id: null })
  for (const query of ['?limit=0', '?limit=x', '?limit=1001', '?after_id=nothing', '?before_id=nothing']) {
    const field = /\w+/.exec(query)?.[0] ?? ''
    expect(await list(query)).toMatchObject({
      type: 'error',
      error: { message: expect.stringContaining(field) as string },
    })
  }
})

test('models are listed in the client’s own shape', async () => {
  const headers = { 'x-api-key': key, 'anthropic-version': '2023-06-01' }
  const list = (await (await fetch(`${world.url}/v1/models`, { headers })).json()) as { readonly data: object[] }
  expect(list).toMatchObject({ has_more: false, first_id: expect.any(String) as string })
  const unknown = { capabilities: null, line: null, max_input_tokens: null, max_tokens: null }
  const shown = {
    type: 'model',
    id: 'emu-fast',
    display_name: 'emu-fast',
    created_at: '2021-07-20T10:40:00.000Z',
    lifecycle: 'active',
    deprecated_at: null,
    retires_at: null,
    ...unknown,
  }
  expect(list.data).toContainEqual(shown)
  expect(await (await fetch(`${world.url}/v1/models/emu-fast`, { headers })).json()).toEqual(shown)
  const missing = await fetch(`${world.url}/v1/models/nothing`, { headers })
  expect(await missing.json()).toMatchObject({ type: 'error', error: { type: 'not_found_error' } })
})
