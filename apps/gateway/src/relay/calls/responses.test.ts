import { callBody } from '@sluice/testkit/call-bodies'
import { type GatewayWorld, openGatewayWorld } from '@sluice/testkit/gateway-world'
import { type RawUpstream, startRawUpstream } from '@sluice/testkit/raw-upstream'
import { type ResponsesUpstream, RESPONSE_TEXT, startResponsesUpstream } from '@sluice/testkit/responses-upstream'
import OpenAI from 'openai'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'

let upstream: ResponsesUpstream
let world: GatewayWorld
let key = ''
const RESPONSES = { config: '{"api_format":"response"}' }

beforeAll(async () => {
  upstream = await startResponsesUpstream()
  world = await openGatewayWorld()
  await world.addChannel(upstream.url, ['gpt'], RESPONSES)
  key = await world.addToken(world.root)
})
afterEach(() => world.verify())
afterAll(async () => {
  await world.close()
  await upstream.close()
})

const ask = (fields: object) => {
  const usual = JSON.parse(String(callBody('/v1/responses', 'gpt')?.body)) as object
  return fetch(`${world.url}/v1/responses`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ ...usual, ...fields }),
  })
}

async function lastCharge() {
  const [row] = await world.rows('select * from log where type = 2 order by id desc limit 1')
  if (row === undefined) throw new Error('nothing was charged')
  return row
}

test('a plain answer passes byte for byte, unknown fields included, and is charged by its usage', async () => {
  const reply = await ask({ vendor_field: { kept: true } })
  expect(reply.status).toBe(200)
  expect(await reply.json()).toMatchObject({ object: 'response', vendor_field: { kept: true } })
  expect(upstream.calls.at(-1)?.json).toMatchObject({ model: 'gpt', vendor_field: { kept: true } })
  expect(await lastCharge()).toMatchObject({
    prompt_tokens: 20,
    cached_prompt_tokens: 4,
    completion_tokens: 9,
    estimated: 0,
    ended: 'complete',
  })
})

test('OpenAI’s own client streams events in order to their end', async () => {
  const client = new OpenAI({ apiKey: key, baseURL: `${world.url}/v1`, maxRetries: 0 })
  const stream = await client.responses.create({ model: 'gpt', input: 'Say something.', stream: true })
  const types: string[] = []
  let text = ''
  for await (const event of stream) {
    types.push(event.type)
    if (event.type === 'response.output_text.delta') text += event.delta
  }
  expect(text).toBe(RESPONSE_TEXT)
  expect([types[0], types.at(-1)]).toEqual(['response.created', 'response.completed'])
  expect(await lastCharge()).toMatchObject({ completion_tokens: 9, is_stream: 1, estimated: 0, ended: 'complete' })
})

test('the system prompt of a channel replaces the instructions, and its model name replaces the client’s', async () => {
  await world.addChannel(upstream.url, ['alias', 'real'], {
    ...RESPONSES,
    model_mapping: '{"alias":"real"}',
    system_prompt: 'Be brief.',
  })
  await (await ask({ model: 'alias', instructions: 'Be long.' })).text()
  expect(upstream.calls.at(-1)?.json).toMatchObject({ model: 'real', instructions: 'Be brief.' })
  await (await ask({ model: 'alias' })).text()
  expect(upstream.calls.at(-1)?.json).toMatchObject({ instructions: 'Be brief.', input: 'Say something.' })
})

const events = (...list: readonly { readonly type: string }[]) =>
  list.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('')
const DELTA = {
  type: 'response.output_text.delta',
  item_id: 'm',
  output_index: 0,
  content_index: 0,
  delta: 'Some words',
}
const ERROR = { code: 'server_error', message: 'The model broke.' }

async function addStream(model: string, text: string): Promise<RawUpstream> {
  const raw = await startRawUpstream((socket) => {
    socket.end(`HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n${text}`)
  })
  await world.addChannel(raw.url, [model], RESPONSES)
  return raw
}

test.each([
  ['failed', { type: 'response.failed', response: { id: 'r', status: 'failed', error: ERROR } }],
  ['error', { type: 'error', ...ERROR, param: null, sequence_number: 2 }],
  ['nested', { type: 'error', error: { type: 'server_error', ...ERROR }, sequence_number: 2 }],
])('an error inside a stream (%s) reaches the client as an error event that its library throws', async (model, end) => {
  const raw = await addStream(model, events(DELTA, end))
  const text = await (await ask({ model, stream: true })).text()
  expect(text).toContain('event: error\ndata: {"type":"error"')
  expect(text).toContain('The model broke.')
  expect(text).not.toContain('response.failed')
  const client = new OpenAI({ apiKey: key, baseURL: `${world.url}/v1`, maxRetries: 0 })
  const read = async () => {
    for await (const _ of await client.responses.create({ model, input: 'x', stream: true })) {
      // Until it throws.
    }
  }
  await expect(read()).rejects.toThrow('The model broke.')
  await raw.close()
})

test('a stream that is cut is an error for the client, and what arrived is counted once', async () => {
  const done = {
    type: 'response.output_text.done',
    item_id: 'm',
    output_index: 0,
    content_index: 0,
    text: 'Some words',
  }
  const raw = await addStream('cut', events(DELTA, done))
  const text = await (await ask({ model: 'cut', stream: true })).text()
  expect(text).toContain('event: error')
  expect(await lastCharge()).toMatchObject({ model_name: 'cut', completion_tokens: 2, estimated: 1 })
  await raw.close()
})

test('the answer of a provider that ignores stream: true is sent as a stream', async () => {
  const call = { id: 'fc', type: 'function_call', call_id: 'c', name: 'f', arguments: '{"a":1}' }
  const message = { id: 'msg', type: 'message', content: [{ type: 'output_text', text: 'Both.', annotations: [] }] }
  const usage = { input_tokens: 5, output_tokens: 4 }
  const body = JSON.stringify({ id: 'resp', object: 'response', status: 'completed', output: [message, call], usage })
  const head = `content-type: application/json\r\ncontent-length: ${body.length}`
  const raw = await startRawUpstream((socket) => socket.write(`HTTP/1.1 200 OK\r\n${head}\r\n\r\n${body}`))
  await world.addChannel(raw.url, ['whole'], RESPONSES)
  const client = new OpenAI({ apiKey: key, baseURL: `${world.url}/v1`, maxRetries: 0 })
  const stream = client.responses.stream({ model: 'whole', input: 'x' })
  let args = ''
  stream.on('response.function_call_arguments.delta', ({ delta }) => (args += delta))
  expect((await stream.finalResponse()).output_text).toBe('Both.')
  expect(args).toBe('{"a":1}')
  expect(await lastCharge()).toMatchObject({ model_name: 'whole', prompt_tokens: 5, completion_tokens: 4 })
  await raw.close()
})

test.each<[string, object]>([
  ['background', { background: 'yes' }],
  ['conversation', { conversation: 'conv_1' }],
  ['previous_response_id', { previous_response_id: 7 }],
  ['input', { input: { role: 'user' } }],
  ['max_output_tokens', { max_output_tokens: 'many' }],
  ['stream', { stream: 'yes' }],
])('%s: what cannot be served is refused by name', async (param, fields) => {
  const reply = await ask(fields)
  expect(reply.status).toBe(400)
  expect(await reply.json()).toMatchObject({ error: { type: 'invalid_request_error', code: 'invalid_body', param } })
})
