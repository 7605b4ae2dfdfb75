import type { Socket } from 'node:net'
import { awsMessage } from '@sluice/testkit/aws-message'
import { type GatewayWorld, openGatewayWorld } from '@sluice/testkit/gateway-world'
import { type RawUpstream, startRawUpstream } from '@sluice/testkit/raw-upstream'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'

/** Claude on Bedrock: Messages in another envelope. */
const BEDROCK = 33
const MODEL = 'anthropic.claude-opus-4-5-20251101-v1:0'
let provider: RawUpstream
let world: GatewayWorld
let key = ''
let answer: (socket: Socket) => void = () => {}

beforeAll(async () => {
  provider = await startRawUpstream((socket) => answer(socket))
  world = await openGatewayWorld()
  key = await world.addToken(world.root)
  await world.addChannel(provider.url, [MODEL], { type: BEDROCK, key: 'AKIAEXAMPLE|secret|us-east-1' })
})
afterEach(() => world.verify())
afterAll(async () => {
  await world.close()
  await provider.close()
})

const usage = { input_tokens: 12, output_tokens: 1 }
const message = { id: 'msg_bdrk_1', type: 'message', role: 'assistant', model: 'claude-opus-4-5', content: [], usage }
const EVENTS = [
  { type: 'message_start', message },
  { type: 'content_block_start', index: 0, content_block: { type: 'thinking', thinking: '', signature: '' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'signature_delta', signature: 'EqQB' } },
  { type: 'content_block_stop', index: 0 },
  { type: 'content_block_start', index: 1, content_block: { type: 'text', text: '' } },
  { type: 'content_block_delta', index: 1, delta: { type: 'text_delta', text: 'Salve.' } },
  { type: 'content_block_stop', index: 1 },
  { type: 'message_delta', delta: { stop_reason: 'end_turn', stop_sequence: null }, usage: { output_tokens: 9 } },
  { type: 'message_stop', 'amazon-bedrock-invocationMetrics': { inputTokenCount: 12, outputTokenCount: 9 } },
]

/** One event as InvokeModel wraps it. */
function chunk(event: object): Uint8Array {
  const bytes = Buffer.from(JSON.stringify(event)).toString('base64')
  const headers = { ':event-type': 'chunk', ':content-type': 'application/json', ':message-type': 'event' }
  return awsMessage(headers, JSON.stringify({ bytes, p: 'abcd' }))
}

function reply(type: string, body: Uint8Array): (socket: Socket) => void {
  const head = `HTTP/1.1 200 OK\r\nContent-Type: ${type}\r\nContent-Length: ${body.length}\r\n\r\n`
  return (socket) => socket.write(Buffer.concat([Buffer.from(head), body]))
}

const ask = (fields: object) =>
  fetch(`${world.url}/v1/messages`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': key, 'anthropic-version': '2023-06-01' },
    body: JSON.stringify({ model: MODEL, max_tokens: 64, messages: [{ role: 'user', content: 'Ave' }], ...fields }),
  })

const lastRequest = () => provider.requests.at(-1) ?? ''
const lastBody = () => JSON.parse(lastRequest().slice(lastRequest().indexOf('\r\n\r\n'))) as unknown

test('a stream in AWS frames becomes events for the client, and the request is signed', async () => {
  answer = reply('application/vnd.amazon.eventstream', Buffer.concat(EVENTS.map(chunk)))
  const text = await (await ask({ stream: true, kept: true })).text()
  const data = [...text.matchAll(/^data: (.*)$/gm)].map(([, json = '']) => JSON.parse(json) as unknown)
  expect(data).toEqual(EVENTS)
  expect(lastRequest()).toContain(`POST /model/${encodeURIComponent(MODEL)}/invoke-with-response-stream HTTP/1.1`)
  expect(lastRequest().toLowerCase()).toContain('authorization: aws4-hmac-sha256 ')
  expect(lastBody()).toEqual({
    anthropic_version: 'bedrock-2023-05-31',
    max_tokens: 64,
    messages: [{ role: 'user', content: 'Ave' }],
    kept: true,
  })
  const [row] = await world.rows('select * from log where type = 2 order by id desc limit 1')
  expect(row).toMatchObject({ prompt_tokens: 12, completion_tokens: 9, estimated: 0, ended: 'complete' })
})

test('a client of another dialect gets the answer in its own, with the signature', async () => {
  answer = reply('application/vnd.amazon.eventstream', Buffer.concat(EVENTS.map(chunk)))
  const text = await (await world.chat(key, { model: MODEL, stream: true })).text()
  expect(text).toContain('"content":"Salve."')
  expect(text).toContain('EqQB')
  expect(lastBody()).toMatchObject({ anthropic_version: 'bedrock-2023-05-31' })
  expect(lastBody()).not.toHaveProperty('model')
})

test('a plain answer passes unchanged', async () => {
  const whole = JSON.stringify({ ...message, content: [{ type: 'text', text: 'Salve.' }], stop_reason: 'end_turn' })
  answer = reply('application/json', Buffer.from(whole))
  expect(await (await ask({})).text()).toBe(whole)
  expect(lastRequest()).toContain('/invoke HTTP/1.1')
})
