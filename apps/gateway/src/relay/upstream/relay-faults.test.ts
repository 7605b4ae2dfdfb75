// @module-tag slow
import { connect } from 'node:net'
import { type Emulator, startEmulator } from '@sluice/testkit/emulator/server'
import { type GatewayWorld, openGatewayWorld } from '@sluice/testkit/gateway-world'
import { type RawUpstream, startRawUpstream } from '@sluice/testkit/raw-upstream'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'

let emulator: Emulator
let world: GatewayWorld
let key = ''
const opened: RawUpstream[] = []

const MODELS = [
  'emu-cut-mid',
  'emu-end-mid',
  'emu-stall',
  'emu-error-in-stream',
  'emu-silent-700',
  'emu-delay-700',
  'emu-delay-3000',
  'emu-pace-1000-10',
  'emu-pace-100-10',
  'emu-bytewise',
  'emu-huge-frame',
  'emu-fast',
]

beforeAll(async () => {
  emulator = await startEmulator()
  world = await openGatewayWorld({
    SLUICE_KEEPALIVE_INTERVAL: '0.2',
    SLUICE_FIRST_BYTE_TIMEOUT: '1',
    SLUICE_IDLE_TIMEOUT: '1',
    SLUICE_CLIENT_STALL_TIMEOUT: '0.5',
    SLUICE_ANSWER_LIMIT: '100000',
  })
  await world.addChannel(emulator.url, MODELS)
  key = await world.addToken(world.root)
})
afterEach(() => world.verify())
afterAll(async () => {
  await world.close()
  await emulator.close()
  for (const upstream of opened) await upstream.close()
})

async function lastCharge() {
  const [row] = await world.rows('select * from log where type = 2 order by id desc limit 1')
  return row
}
const charges = async () => Number((await world.rows('select count(*) as n from transfer'))[0]?.['n'])

async function rawChannel(model: string, answer: Parameters<typeof startRawUpstream>[0]): Promise<RawUpstream> {
  const upstream = await startRawUpstream(answer)
  opened.push(upstream)
  await world.addChannel(upstream.url, [model])
  return upstream
}

const SSE = 'HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n'
const chunked = (text: string) => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`
const event = (content: string) => `data: {"choices":[{"index":0,"delta":{"content":"${content}"}}]}\n\n`

test.each(['emu-cut-mid', 'emu-end-mid', 'emu-error-in-stream', 'emu-stall'])(
  'after %s the stream ends with an error event, and what was delivered is charged',
  async (model) => {
    const reply = await world.chat(key, { model, stream: true })
    const text = await reply.text()
    expect(reply.status).toBe(200)
    expect(text).toMatch(/data: \{"error":\{"message":"[^"]+ \(request id: [0-9a-f]{32}\)"/)
    expect(text.endsWith('data: [DONE]\n\n')).toBe(true)
    expect(await lastCharge()).toMatchObject({ ended: 'upstream_broken', estimated: 1, is_stream: 1 })
    expect(Number((await lastCharge())?.['completion_tokens'])).toBeGreaterThan(0)
  },
)

test('a plain answer that breaks off is never delivered and never charged', async () => {
  const before = await charges()
  const reply = await world.chat(key, { model: 'emu-cut-mid' })
  expect(reply.status).toBe(502)
  expect(await reply.json()).toMatchObject({ error: { code: 'upstream_broken' } })
  expect(await charges()).toBe(before)
})

test('a provider that sends nothing in time is given up', async () => {
  const before = await charges()
  const reply = await world.chat(key, { model: 'emu-delay-3000' })
  expect(reply.status).toBe(504)
  expect(await reply.json()).toMatchObject({ error: { code: 'upstream_timeout' } })
  expect(await charges()).toBe(before)
})

test('silence inside a stream is bridged by comments', async () => {
  const reply = await world.chat(key, { model: 'emu-silent-700', stream: true })
  const text = await reply.text()
  expect(text.split(': ping\n\n').length).toBeGreaterThan(2)
  expect(text.endsWith('data: [DONE]\n\n')).toBe(true)
  expect(await lastCharge()).toMatchObject({ ended: 'complete', estimated: 0 })
})

test('streams that are requested at once on one connection arrive whole, the short one after the long one', async () => {
  const request = (model: string, more = '') => {
    const body = JSON.stringify({ model, stream: true, messages: [{ role: 'user', content: 'x' }] })
    const head = `POST /v1/chat/completions HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n${more}`
    return `${head}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`
  }
  const socket = connect(Number(new URL(world.url).port), '127.0.0.1')
  let got = ''
  socket.on('data', (chunk) => (got += chunk.toString()))
  // The second answer ends long before the first, so a ping could reach it while it waits for its turn.
  socket.write(request('emu-pace-100-10') + request('emu-fast', 'Connection: close\r\n'))
  await new Promise((resolve) => socket.once('close', resolve))
  expect(got.match(/data: \[DONE\]\n\n/g)).toHaveLength(2)
  expect(got.match(/\r\n0\r\n\r\n/g)).toHaveLength(2)
})

test('silence before a stream is bridged by comments too', async () => {
  const reply = await world.chat(key, { model: 'emu-delay-700', stream: true })
  const text = await reply.text()
  expect(text.startsWith(': ping\n\n')).toBe(true)
  expect(text.endsWith('data: [DONE]\n\n')).toBe(true)
})

test('a failure after such a comment travels as an event, and nothing is charged', async () => {
  const before = await charges()
  const reply = await world.chat(key, { model: 'emu-delay-3000', stream: true })
  expect(reply.status).toBe(200)
  const text = await reply.text()
  expect(text).toContain('"code":"upstream_timeout"')
  expect(text.endsWith('data: [DONE]\n\n')).toBe(true)
  expect(await charges()).toBe(before)
})

test.each(['emu-bytewise', 'emu-huge-frame'])('%s arrives whole', async (model) => {
  const text = await (await world.chat(key, { model, stream: true })).text()
  const events = text.split('\n\n').filter((event) => event.startsWith('data: {'))
  expect(events.length).toBeGreaterThan(3)
  for (const event of events) expect(() => JSON.parse(event.slice('data: '.length)) as unknown).not.toThrow()
  expect(text.endsWith('data: [DONE]\n\n')).toBe(true)
})

test('half an event is never sent', async () => {
  await rawChannel('half', (socket) => {
    socket.write(SSE + chunked(event('whole')) + chunked('data: {"choices":[{"delta":{"con'))
    setTimeout(() => socket.destroy(), 50)
  })
  const text = await (await world.chat(key, { model: 'half', stream: true })).text()
  expect(text).not.toContain('"con\n')
  expect(text.startsWith(`${event('whole')}data: {"error"`)).toBe(true)
})

test.each([
  ['/v1/chat/completions', { n: 2 }],
  ['/v1/completions', { prompt: ['one', 'two'] }],
])('%s: a stream that is cut after the first of two choices is not reported as complete', async (path, asked) => {
  const model = `cut-choice${path.replaceAll('/', '-')}`
  await rawChannel(model, (socket) => {
    const finish = 'data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\n'
    const other = 'data: {"choices":[{"index":1,"delta":{"content":"half"}}]}\n\n'
    socket.write(SSE + chunked(event('whole') + other + finish + other))
    setTimeout(() => socket.resetAndDestroy(), 20)
  })
  const reply = await fetch(world.url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model, stream: true, messages: [{ role: 'user', content: 'x' }], ...asked }),
  })
  expect(await reply.text()).toContain('"code":"upstream_broken"')
  expect(await lastCharge()).toMatchObject({ ended: 'upstream_broken' })
})

test.each([
  ['an error', 'data: {"error":{"message":"No machine is free.","code":503}}\n\n'],
  ['nothing more', ''],
])('comments of a provider are not an answer: after them and %s the next channel is tried', async (name, rest) => {
  const model = `waiting-${name.replace(' ', '-')}`
  const finish = 'data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\n'
  const failing = await startRawUpstream((socket) => {
    socket.write(`${SSE}${chunked(': OPENROUTER PROCESSING\n\n')}`)
    setTimeout(() => socket.end(`${rest === '' ? '' : chunked(rest)}0\r\n\r\n`), 50)
  })
  opened.push(failing)
  await world.addChannel(failing.url, [model], { priority: 9 })
  await rawChannel(model, (socket) => {
    socket.write(`${SSE}${chunked(`${event('from the second')}${finish}data: [DONE]\n\n`)}0\r\n\r\n`)
  })
  const reply = await world.chat(key, { model, stream: true })
  expect(await reply.text()).toContain('from the second')
  expect(failing.requests).toHaveLength(1)
  expect(await lastCharge()).toMatchObject({ ended: 'complete' })
})

const asEvents = (body: string) =>
  `HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`

test('an error that is sent as JSON with the content type of events is passed on in the provider’s words', async () => {
  const error = JSON.stringify({ error: { message: 'All our machines are busy.', type: 'server_error', code: 503 } })
  await rawChannel('promised-error', (socket) => void socket.write(asEvents(`\n${error}`)))
  const reply = await world.chat(key, { model: 'promised-error', stream: true })
  expect([reply.status, await reply.text()]).toEqual([503, expect.stringContaining('All our machines are busy.')])
})

test('a whole reply with the content type of events becomes the stream that was requested', async () => {
  const choice = { index: 0, message: { role: 'assistant', content: 'All of it.' }, finish_reason: 'stop' }
  const usage = { prompt_tokens: 3, completion_tokens: 4, total_tokens: 7 }
  const whole = JSON.stringify({ choices: [choice], usage })
  await rawChannel('promised-whole', (socket) => void socket.write(asEvents(whole)))
  const reply = await world.chat(key, { model: 'promised-whole', stream: true })
  const text = await reply.text()
  expect(text).toContain('"content":"All of it."')
  expect(text.endsWith('data: [DONE]\n\n')).toBe(true)
  expect(await lastCharge()).toMatchObject({ ended: 'complete', prompt_tokens: 3, completion_tokens: 4 })
})

test.each(['none', 'Identity', ''])('Content-Encoding "%s" says that nothing is encoded', async (encoding) => {
  const model = `coding-${encoding}`
  const finish = 'data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\n'
  await rawChannel(model, (socket) => {
    const head = SSE.replace('\r\n\r\n', `\r\nContent-Encoding: ${encoding}\r\n\r\n`)
    socket.write(`${head}${chunked(`${event('plain')}${finish}data: [DONE]\n\n`)}0\r\n\r\n`)
  })
  const reply = await world.chat(key, { model, stream: true })
  expect(reply.status).toBe(200)
  expect(await reply.text()).toContain('plain')
})

test('a provider without the terminal event gets one added', async () => {
  await rawChannel('no-done', (socket) => {
    const last = 'data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\n'
    socket.end(SSE + chunked(event('hi') + last) + '0\r\n\r\n')
  })
  const text = await (await world.chat(key, { model: 'no-done', stream: true })).text()
  expect(text.endsWith('data: [DONE]\n\n')).toBe(true)
  expect(await lastCharge()).toMatchObject({ ended: 'complete', estimated: 1 })
})

test('a provider that answers a stream request with plain JSON is turned into a stream', async () => {
  const body = JSON.stringify({
    id: 'x',
    object: 'chat.completion',
    choices: [{ index: 0, message: { role: 'assistant', content: 'all at once' }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 3, completion_tokens: 4, total_tokens: 7 },
  })
  await rawChannel('plain-only', (socket) => {
    socket.end(`HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`)
  })
  const text = await (await world.chat(key, { model: 'plain-only', stream: true })).text()
  expect(text).toContain('"delta":{"role":"assistant","content":"all at once"}')
  expect(text.endsWith('data: [DONE]\n\n')).toBe(true)
  expect(await lastCharge()).toMatchObject({ prompt_tokens: 3, completion_tokens: 4, estimated: 0 })
})

test.each([
  ['garbage instead of HTTP', 'this is no HTTP\r\n\r\n', 502],
  ['a redirect', 'HTTP/1.1 302 Found\r\nLocation: http://169.254.169.254/\r\nContent-Length: 0\r\n\r\n', 502],
  ['a compressed answer', 'HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 2\r\n\r\nxx', 502],
  ['endless headers', `HTTP/1.1 200 OK\r\nX: ${'y'.repeat(100_000)}\r\n\r\n`, 502],
  ['an answer over the limit', `HTTP/1.1 200 OK\r\nContent-Length: 200000\r\n\r\n${'x'.repeat(200_000)}`, 502],
  ['an empty answer', 'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n', 502],
  ['an error page', 'HTTP/1.1 500 No\r\nContent-Length: 25\r\n\r\n<html>internal host x9</ht', 500],
])('%s is a clear error and charges nothing', async (name, bytes, status) => {
  const before = await charges()
  await rawChannel(name, (socket) => socket.end(bytes))
  for (const stream of [false, true]) {
    const reply = await world.chat(key, { model: name, stream })
    expect(reply.status).toBe(status)
    const text = await reply.text()
    expect(JSON.parse(text)).toMatchObject({ error: { type: 'upstream_error' } })
    expect(text).not.toContain('internal host')
  }
  expect(await charges()).toBe(before)
})

test('a kept-alive connection that the provider has closed is replaced once, unnoticed by the client', async () => {
  const body = '{"choices":[],"usage":{"prompt_tokens":1,"completion_tokens":1}}'
  const upstream = await rawChannel('given-up', (socket, _, count) => {
    if (count === 2) socket.destroy()
    else socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${body.length}\r\n\r\n${body}`)
  })
  expect((await world.chat(key, { model: 'given-up' })).status).toBe(200)
  expect((await world.chat(key, { model: 'given-up' })).status).toBe(200)
  expect(upstream.requests).toHaveLength(3)
})

test('a client that leaves before the answer costs nothing, and the provider is notified at once', async () => {
  const before = await charges()
  const upstream = await rawChannel('waiting', () => {})
  const leave = new AbortController()
  const call = world.chat(key, { model: 'waiting' }, { signal: leave.signal }).catch((error: unknown) => error)
  await expect.poll(() => upstream.requests.length).toBe(1)
  leave.abort()
  await call
  await expect.poll(() => upstream.closed).toBe(1)
  await world.verify()
  expect(await charges()).toBe(before)
  const [trace] = await world.rows('select status from trace order by received_ms desc limit 1')
  expect(trace).toEqual({ status: 499 })
})

test('a client that leaves in the middle pays for what it got, and the provider stops', async () => {
  const leave = new AbortController()
  // Until it has read one complete answer, the gateway does not know whether the model shows every token that it counts.
  await (await world.chat(key, { model: 'emu-pace-1000-10', stream: true, max_tokens: 2 })).text()
  const reply = await world.chat(key, { model: 'emu-pace-1000-10', stream: true }, { signal: leave.signal })
  const reader = reply.body?.getReader()
  for (let i = 0; i < 5; i++) await reader?.read()
  leave.abort()
  await expect.poll(async () => (await lastCharge())?.['ended']).toBe('client_gone')
  const tokens = Number((await lastCharge())?.['completion_tokens'])
  expect(tokens).toBeGreaterThan(2)
  expect(tokens).toBeLessThan(900)
  await expect.poll(() => emulator.journal.calls.at(-1)?.state).toBe('abandoned')
})

test('a client that does not read holds the provider back and is finally cut off', { tags: 'S27' }, async () => {
  let sent = 0
  await rawChannel('flood', (socket) => {
    socket.write(SSE)
    const block = chunked(event('x'.repeat(10_000)))
    const more = () => {
      while (!socket.destroyed && socket.write(block)) sent += block.length
    }
    socket.on('drain', more)
    more()
  })
  const body = JSON.stringify({ model: 'flood', stream: true, messages: [{ role: 'user', content: 'x' }] })
  const client = connect(Number(new URL(world.url).port), '127.0.0.1')
  client.on('error', () => {})
  client.write(
    `POST /v1/chat/completions HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n` +
      `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  )
  client.pause()
  await expect.poll(async () => (await lastCharge())?.['ended'], { timeout: 10_000 }).toBe('client_gone')
  expect(sent).toBeLessThan(64 * 1_048_576)
  client.destroy()
})

test('a gateway that stops gives running streams some time, then ends them with an error event', async () => {
  const stopping = await openGatewayWorld({ SLUICE_DRAIN_TIMEOUT: '0.3' })
  await stopping.addChannel(emulator.url, ['emu-pace-1000-10', 'emu-delay-900'])
  const ownKey = await stopping.addToken(stopping.root)
  const stream = await stopping.chat(ownKey, { model: 'emu-pace-1000-10', stream: true })
  const waiting = stopping.chat(ownKey, { model: 'emu-delay-900' })
  await expect.poll(() => emulator.journal.calls.at(-1)?.body).toContain('emu-delay-900')
  const stopped = stopping.stop()
  const text = await stream.text()
  expect(text).toContain('"code":"shutting_down"')
  expect(text.endsWith('data: [DONE]\n\n')).toBe(true)
  const refused = await waiting
  expect(refused.status).toBe(503)
  expect(await refused.json()).toMatchObject({ error: { code: 'shutting_down' } })
  await stopped
  await stopping.verify()
  const charged = await stopping.rows('select ended, estimated from log where type = 2')
  expect(charged).toEqual([{ ended: 'gateway_stopped', estimated: 1 }])
  await stopping.close()
})
