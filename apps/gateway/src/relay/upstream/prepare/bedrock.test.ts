import type { Socket } from 'node:net'
import { awsEvent, awsException } from '@sluice/testkit/aws-message'
import { type GatewayWorld, openGatewayWorld } from '@sluice/testkit/gateway-world'
import { type RawUpstream, startRawUpstream } from '@sluice/testkit/raw-upstream'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'

const MODEL = 'amazon.nova-pro-v1:0'
const EMBED = 'amazon.titan-embed-text-v2:0'

let upstream: RawUpstream
let world: GatewayWorld
let key = ''
let answer: (socket: Socket) => void = (socket) => socket.destroy()

beforeAll(async () => {
  upstream = await startRawUpstream((socket) => answer(socket))
  world = await openGatewayWorld()
  await world.addChannel(upstream.url, [MODEL, EMBED], { type: 33, key: 'AKIDEXAMPLE|secret|us-east-1' })
  key = await world.addToken(world.root)
})
afterEach(() => world.verify())
afterAll(async () => {
  await world.close()
  await upstream.close()
})

function whole(body: object, status = '200 OK') {
  const text = JSON.stringify(body)
  answer = (socket) => {
    socket.write(
      `HTTP/1.1 ${status}\r\ncontent-type: application/json\r\ncontent-length: ${text.length}\r\n\r\n${text}`,
    )
  }
}

function streamed(...messages: readonly Uint8Array[]) {
  const bytes = Buffer.concat(messages)
  const half = Math.floor(bytes.length / 2) + 3
  answer = (socket) => {
    socket.write(`HTTP/1.1 200 OK\r\ncontent-type: application/vnd.amazon.eventstream\r\nconnection: close\r\n\r\n`)
    socket.write(bytes.subarray(0, half))
    setImmediate(() => socket.end(bytes.subarray(half)))
  }
}

function lastRequest(): { readonly head: string; readonly body: Record<string, unknown> } {
  const [head = '', body = ''] = upstream.requests.at(-1)?.split('\r\n\r\n') ?? []
  return { head, body: JSON.parse(body) as Record<string, unknown> }
}

/** The row of the last call; 1 quota per prompt token, 2 per answer token. */
async function lastCharge() {
  const [row] = await world.rows('select * from log where type = 2 order by id desc limit 1')
  return row
}

const usage = { inputTokens: 9, outputTokens: 5, totalTokens: 14 }

test('a chat is translated to Converse, signed, and answered as a chat; losses are named', async () => {
  whole({ output: { message: { role: 'assistant', content: [{ text: 'Hi' }] } }, stopReason: 'end_turn', usage })
  const reply = await world.chat(key, { model: MODEL, max_tokens: 20, seed: 7 })
  expect(await reply.json()).toMatchObject({
    object: 'chat.completion',
    choices: [{ message: { role: 'assistant', content: 'Hi' }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 9, completion_tokens: 5 },
  })
  expect(reply.headers.get('x-sluice-losses')).toBe('seed dropped')
  const { head, body } = lastRequest()
  expect(head).toMatch(/^POST \/model\/amazon\.nova-pro-v1%3A0\/converse HTTP/)
  expect(head).toMatch(
    /authorization: AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE\/\d{8}\/us-east-1\/bedrock\/aws4_request/i,
  )
  expect(body).toStrictEqual({
    messages: [{ role: 'user', content: [{ text: 'Say something.' }] }],
    inferenceConfig: { maxTokens: 20 },
  })
  expect(await lastCharge()).toMatchObject({ prompt_tokens: 9, completion_tokens: 5, amount: 19_000n, estimated: 0 })
})

test('a stream of binary messages arrives as a stream of chat, with its calls', async () => {
  const at = (contentBlockIndex: number, more: object) => ({ contentBlockIndex, ...more })
  streamed(
    awsEvent('messageStart', { role: 'assistant' }),
    awsEvent('contentBlockDelta', at(0, { delta: { text: 'I look.' } })),
    awsEvent('contentBlockStop', at(0, {})),
    awsEvent('contentBlockStart', at(1, { start: { toolUse: { toolUseId: 't-1', name: 'time' } } })),
    awsEvent('contentBlockDelta', at(1, { delta: { toolUse: { input: '{"zone":"UTC"}' } } })),
    awsEvent('contentBlockStop', at(1, {})),
    awsEvent('messageStop', { stopReason: 'tool_use' }),
    awsEvent('metadata', { usage, metrics: { latencyMs: 5 } }),
  )
  const tools = [{ type: 'function', function: { name: 'time', parameters: { type: 'object', properties: {} } } }]
  const reply = await world.chat(key, { model: MODEL, stream: true, tools })
  const text = await reply.text()
  expect(reply.headers.get('content-type')).toContain('text/event-stream')
  expect(text).toContain('"content":"I look."')
  expect(text).toContain('"name":"time"')
  expect(text).toContain('"finish_reason":"tool_calls"')
  expect(text.endsWith('data: [DONE]\n\n')).toBe(true)
  expect(lastRequest().head).toMatch(/^POST \/model\/amazon\.nova-pro-v1%3A0\/converse-stream HTTP/)
  expect(await lastCharge()).toMatchObject({ amount: 19_000n, estimated: 0, ended: 'complete' })
})

test('signed thoughts of a tool loop return to Bedrock unchanged', async () => {
  const content = [
    { reasoningContent: { reasoningText: { text: 'Hm', signature: 'c2lnbmVk' } } },
    { reasoningContent: { redactedContent: 'AAEC' } },
    { toolUse: { toolUseId: 't-1', name: 'time', input: { zone: 'UTC' } } },
  ]
  const tools = [{ type: 'function', function: { name: 'time', parameters: { type: 'object', properties: {} } } }]
  const user = { role: 'user', content: 'Time?' }
  whole({ output: { message: { role: 'assistant', content } }, stopReason: 'tool_use', usage })
  const first = await world.chat(key, { model: MODEL, tools, messages: [user] })
  const { choices } = (await first.json()) as { choices: readonly { readonly message: object }[] }
  const result = { role: 'tool', tool_call_id: 't-1', content: 'noon' }
  const second = await world.chat(key, { model: MODEL, tools, messages: [user, choices[0]?.message, result] })
  expect(second.status).toBe(200)
  expect(lastRequest().body['messages']).toStrictEqual([
    { role: 'user', content: [{ text: 'Time?' }] },
    { role: 'assistant', content },
    { role: 'user', content: [{ toolResult: { toolUseId: 't-1', content: [{ text: 'noon' }] } }] },
  ])
  expect(second.headers.get('x-sluice-losses')).toBeNull()
})

test('an exception inside the stream is an error event of the client’s dialect', async () => {
  streamed(
    awsEvent('messageStart', { role: 'assistant' }),
    awsEvent('contentBlockDelta', { contentBlockIndex: 0, delta: { text: 'I' } }),
    awsException('throttlingException', 'Too many requests'),
  )
  const text = await (await world.chat(key, { model: MODEL, stream: true })).text()
  expect(text).toContain('"content":"I"')
  expect(text).toContain('"error":{"message":"The provider is not accepting more calls at the moment.')
  expect(text).not.toContain('finish_reason":"stop"')
})

test('a damaged message ends the stream with an error', async () => {
  const damaged = awsEvent('contentBlockDelta', { contentBlockIndex: 0, delta: { text: 'more' } })
  damaged[60] = (damaged[60] ?? 0) ^ 1
  streamed(awsEvent('contentBlockDelta', { contentBlockIndex: 0, delta: { text: 'I' } }), damaged)
  const text = await (await world.chat(key, { model: MODEL, stream: true })).text()
  expect(text).toContain('"content":"I"')
  expect(text).toContain('"error":{')
  expect(text).not.toContain('more')
})

test('an error before the stream keeps its status and its words', async () => {
  whole({ message: 'Malformed input request: #/messages: expected minimum item count: 1.' }, '400 Bad Request')
  const reply = await world.chat(key, { model: MODEL, stream: true })
  expect(reply.status).toBe(400)
  expect(await reply.text()).toContain('Malformed input request: #/messages')
})

test('a picture given by its address is refused by the name of its field before anything is sent', async () => {
  const requests = upstream.requests.length
  const image = { type: 'image_url', image_url: { url: 'https://a.example/b.png' } }
  const reply = await world.chat(key, { model: MODEL, messages: [{ role: 'user', content: [image] }] })
  expect([reply.status, await reply.text()]).toEqual([400, expect.stringContaining('messages[0].content[0]')])
  expect(upstream.requests).toHaveLength(requests)
})

test('embeddings are requested from the model itself and answered in OpenAI’s shape', async () => {
  whole({ embedding: [0.5, -1], inputTextTokenCount: 3 })
  const reply = await fetch(`${world.url}/v1/embeddings`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: EMBED, input: 'a' }),
  })
  expect(await reply.json()).toMatchObject({
    data: [{ object: 'embedding', index: 0, embedding: [0.5, -1] }],
    usage: { prompt_tokens: 3 },
  })
  expect(lastRequest().head).toMatch(/^POST \/model\/amazon\.titan-embed-text-v2%3A0\/invoke HTTP/)
  expect(await lastCharge()).toMatchObject({ prompt_tokens: 3, amount: 3_000n, estimated: 0 })
})
