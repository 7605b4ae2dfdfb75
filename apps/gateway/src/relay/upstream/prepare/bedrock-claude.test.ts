import type { Socket } from 'node:net'
import { awsEvent, awsException } from '@sluice/testkit/aws-message'
import { type GatewayWorld, openGatewayWorld } from '@sluice/testkit/gateway-world'
import { type RawUpstream, startRawUpstream } from '@sluice/testkit/raw-upstream'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'

const MODEL = 'claude-sonnet-4-5-20250929'
const INVOKE = '/model/anthropic.claude-sonnet-4-5-20250929-v1%3A0/invoke'

let upstream: RawUpstream
let world: GatewayWorld
let key = ''
let answer: (socket: Socket) => void = (socket) => socket.destroy()

beforeAll(async () => {
  upstream = await startRawUpstream((socket) => answer(socket))
  world = await openGatewayWorld()
  await world.addChannel(upstream.url, [MODEL], { type: 33, key: 'AKIDEXAMPLE|secret|us-east-1' })
  key = await world.addToken(world.root)
})
afterEach(() => world.verify())
afterAll(async () => {
  await world.close()
  await upstream.close()
})

const EVENTS = [
  { type: 'message_start', message: { id: 'msg_1', model: MODEL, usage: { input_tokens: 9, output_tokens: 1 } } },
  { type: 'content_block_start', index: 0, content_block: { type: 'thinking', thinking: '', signature: '' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'thinking_delta', thinking: 'Hm' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'signature_delta', signature: 'c2ln' } },
  { type: 'content_block_stop', index: 0 },
  { type: 'content_block_start', index: 1, content_block: { type: 'text', text: '' } },
  { type: 'content_block_delta', index: 1, delta: { type: 'text_delta', text: 'Hi ünïcödé' } },
  { type: 'content_block_stop', index: 1 },
  { type: 'message_delta', delta: { stop_reason: 'end_turn', stop_sequence: null }, usage: { output_tokens: 5 } },
  { type: 'message_stop', 'amazon-bedrock-invocationMetrics': { inputTokenCount: 9, outputTokenCount: 5 } },
]

const chunk = (event: object) =>
  awsEvent('chunk', { bytes: Buffer.from(JSON.stringify(event)).toString('base64'), p: 'abcdefg' })

function streamed(...messages: readonly Uint8Array[]) {
  const bytes = Buffer.concat(messages)
  const third = Math.floor(bytes.length / 3)
  answer = (socket) => {
    socket.write(`HTTP/1.1 200 OK\r\ncontent-type: application/vnd.amazon.eventstream\r\nconnection: close\r\n\r\n`)
    socket.write(bytes.subarray(0, third))
    setImmediate(() => socket.end(bytes.subarray(third)))
  }
}

const messages = [{ role: 'user', content: 'Say something.' }]
const ask = (body: object, more: Readonly<Record<string, string>> = {}) =>
  fetch(`${world.url}/v1/messages`, {
    method: 'POST',
    headers: { 'x-api-key': key, 'anthropic-version': '2023-06-01', 'content-type': 'application/json', ...more },
    body: JSON.stringify({ model: MODEL, max_tokens: 100, messages, ...body }),
  })

function lastRequest(): { readonly head: string; readonly body: unknown } {
  const [head = '', body = ''] = upstream.requests.at(-1)?.split('\r\n\r\n') ?? []
  return { head, body: JSON.parse(body) as unknown }
}

async function lastCharge() {
  const [row] = await world.rows('select * from log where type = 2 order by id desc limit 1')
  return row
}

test('a client of Messages gets the model’s own events, taken out of their envelopes', async () => {
  streamed(...EVENTS.map(chunk))
  const reply = await ask({ stream: true, system: 'Be kind' })
  const sent = EVENTS.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('')
  expect(await reply.text()).toBe(sent)
  expect(reply.headers.get('content-type')).toContain('text/event-stream')
  const { head, body } = lastRequest()
  expect(head.startsWith(`POST ${INVOKE}-with-response-stream HTTP`)).toBe(true)
  expect(body).toStrictEqual({
    anthropic_version: 'bedrock-2023-05-31',
    max_tokens: 100,
    messages,
    system: 'Be kind',
  })
  expect(await lastCharge()).toMatchObject({ prompt_tokens: 9, completion_tokens: 5, estimated: 0, ended: 'complete' })
})

test('betas that Bedrock knows are in the body, where it looks for them', async () => {
  streamed(...EVENTS.map(chunk))
  const beta = 'interleaved-thinking-2025-05-14,prompt-caching-2024-07-31'
  expect((await ask({ stream: true }, { 'anthropic-beta': beta })).status).toBe(200)
  expect(lastRequest().body).toMatchObject({ anthropic_beta: ['interleaved-thinking-2025-05-14'] })
})

test('an event over several lines stays one event', async () => {
  const spread = (event: object) =>
    awsEvent('chunk', { bytes: Buffer.from(JSON.stringify(event, null, 2)).toString('base64') })
  streamed(...EVENTS.map(spread))
  const text = await (await ask({ stream: true })).text()
  const events = text.split('\n\n').slice(0, -1)
  const read = events.map((event) => JSON.parse(event.replace(/^event: .*\n/, '').replace(/^data: /gm, '')) as unknown)
  expect(read).toEqual(EVENTS)
  expect(await lastCharge()).toMatchObject({ prompt_tokens: 9, completion_tokens: 5, estimated: 0, ended: 'complete' })
})

test('a client of chat gets the same translated to chat', async () => {
  streamed(...EVENTS.map(chunk))
  const text = await (await world.chat(key, { model: MODEL, stream: true })).text()
  expect(text).toContain('"reasoning_content":"Hm"')
  expect(text).toContain('"content":"Hi ünïcödé"')
  expect(text.endsWith('data: [DONE]\n\n')).toBe(true)
  expect(await lastCharge()).toMatchObject({ prompt_tokens: 9, completion_tokens: 5, estimated: 0, ended: 'complete' })
})

test('a plain answer passes unchanged', async () => {
  const body = JSON.stringify({
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    content: [{ type: 'text', text: 'Hi' }],
    stop_reason: 'end_turn',
    usage: { input_tokens: 9, output_tokens: 5 },
  })
  answer = (socket) => {
    socket.write(`HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`)
  }
  expect(await (await ask({})).text()).toBe(body)
  expect(lastRequest().head.startsWith(`POST ${INVOKE} HTTP`)).toBe(true)
  expect(await lastCharge()).toMatchObject({ prompt_tokens: 9, completion_tokens: 5, estimated: 0 })
})

test('an exception of the carrier is an error event of Messages', async () => {
  streamed(...EVENTS.slice(0, 7).map(chunk), awsException('modelStreamErrorException', 'The model broke off.'))
  const text = await (await ask({ stream: true })).text()
  expect(text).toContain('ünïcödé')
  expect(text).toMatch(/event: error\ndata: \{"type":"error","error":\{.*The model broke off\..*\}\}?/)
  expect(text).not.toContain('message_stop')
})

test('a damaged envelope ends the stream with an error event', async () => {
  const damaged = chunk(EVENTS[6] ?? {})
  damaged[70] = (damaged[70] ?? 0) ^ 1
  streamed(...EVENTS.slice(0, 6).map(chunk), damaged, ...EVENTS.slice(7).map(chunk))
  const text = await (await ask({ stream: true })).text()
  expect(text).toContain('signature_delta')
  expect(text).toContain('event: error')
  expect(text).not.toContain('message_stop')
})
