import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import zlib from 'node:zlib'
import { type GatewayWorld, openGatewayWorld } from '@sluice/testkit/gateway-world'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'

/** Providers, and networks in front of them, that compress answers unasked or label them wrongly. */
let world: GatewayWorld
let key = ''
const servers: Server[] = []
const LIMIT = 200_000

beforeAll(async () => {
  world = await openGatewayWorld({ SLUICE_ANSWER_LIMIT: String(LIMIT), SLUICE_IDLE_TIMEOUT: '2' })
  key = await world.addToken(world.root)
})
afterEach(() => world.verify())
afterAll(async () => {
  await world.close()
  for (const server of servers) server.closeAllConnections()
  for (const server of servers) server.close()
})

let count = 0
async function ask(answer: RequestListener, body: object = {}): Promise<{ status: number; text: string }> {
  const server = createServer(answer)
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const model = `coded-${++count}`
  await world.addChannel(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, [model])
  const reply = await world.chat(key, { model, ...body })
  return { status: reply.status, text: await reply.text() }
}

const WHOLE = JSON.stringify({
  id: 'x',
  object: 'chat.completion',
  choices: [{ index: 0, message: { role: 'assistant', content: 'hello' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 3, completion_tokens: 4, total_tokens: 7 },
})
const chunk = (delta: object, reason: string | null) =>
  `data: ${JSON.stringify({ id: 'x', choices: [{ index: 0, delta, finish_reason: reason }] })}\n\n`
const EVENTS = `${chunk({ content: 'hello' }, null)}${chunk({}, 'stop')}data: [DONE]\n\n`
const ERROR = '{"error":{"message":"temperature is too high","type":"invalid_request_error","param":"temperature"}}'

const CODINGS = {
  gzip: zlib.gzipSync,
  'X-GZip': zlib.gzipSync,
  br: zlib.brotliCompressSync,
  deflate: zlib.deflateSync,
  zstd: zlib.zstdCompressSync,
} as const
const RAW_DEFLATE = ['deflate', zlib.deflateRawSync] as const
const send =
  (status: number, type: string, coding: string | undefined, bytes: Buffer): RequestListener =>
  (request, reply) => {
    request.resume()
    reply.writeHead(status, { 'content-type': type, ...(coding === undefined ? {} : { 'content-encoding': coding }) })
    reply.end(bytes)
  }

test.each([...Object.entries(CODINGS), RAW_DEFLATE])(
  '%s is decoded: answers, streams and errors',
  async (coding, code) => {
    const plain = await ask(send(200, 'application/json', coding, code(Buffer.from(WHOLE))))
    expect([plain.status, JSON.parse(plain.text)]).toMatchObject([
      200,
      { choices: [{ message: { content: 'hello' } }] },
    ])
    const stream = await ask(send(200, 'text/event-stream', coding, code(Buffer.from(EVENTS))), { stream: true })
    expect(stream).toMatchObject({ status: 200, text: expect.stringContaining('"content":"hello"') })
    expect(stream.text.endsWith('data: [DONE]\n\n')).toBe(true)
    const error = await ask(send(400, 'application/json', coding, code(Buffer.from(ERROR))))
    expect([error.status, JSON.parse(error.text)]).toMatchObject([
      400,
      { error: { message: expect.stringContaining('temperature is too high'), param: 'temperature' } },
    ])
  },
)

test('a stream is decoded as it arrives, not when it ends', async () => {
  let isOver = false
  const stream = await ask(
    (request, reply) => {
      request.resume()
      reply.writeHead(200, { 'content-type': 'text/event-stream', 'content-encoding': 'gzip' })
      const gzip = zlib.createGzip()
      gzip.pipe(reply)
      gzip.write(chunk({ content: 'hello' }, null))
      gzip.flush()
      // The second event arrives only if the first was read; otherwise the silence ends the call.
      setTimeout(() => {
        isOver = true
        gzip.end(`${chunk({}, 'stop')}data: [DONE]\n\n`)
      }, 300)
    },
    { stream: true },
  )
  expect(isOver).toBe(true)
  expect(stream.text).toContain('"content":"hello"')
})

test.each(['gzip', 'zstd', 'br', 'deflate'])('what is labelled %s and is not is read as it is', async (coding) => {
  const plain = await ask(send(200, 'application/json', coding, Buffer.from(WHOLE)))
  expect(plain).toMatchObject({ status: 200, text: expect.stringContaining('hello') })
  const stream = await ask(send(200, 'text/event-stream', coding, Buffer.from(EVENTS)), { stream: true })
  expect(stream.text).toContain('hello')
})

test('what is compressed and does not say so is decoded', async () => {
  const plain = await ask(send(200, 'application/json', undefined, zlib.gzipSync(WHOLE)))
  expect(plain).toMatchObject({ status: 200, text: expect.stringContaining('hello') })
  const error = await ask(send(400, 'application/json', undefined, zlib.gzipSync(ERROR)))
  expect(error.text).toContain('temperature is too high')
})

test('the limit of an answer counts what it expands to', { tags: 'S27' }, async () => {
  const bomb = zlib.gzipSync(`{"id":"${'x'.repeat(20_000_000)}"}`)
  expect(bomb.length).toBeLessThan(LIMIT)
  const { status, text } = await ask(send(200, 'application/json', 'gzip', bomb))
  expect([status, text]).toEqual([502, expect.stringContaining(`it exceeds ${LIMIT} bytes`)])
  // Only the beginning of an error is read.
  const error = await ask(send(500, 'application/json', 'gzip', bomb))
  expect(error.status).toBe(500)
})

test('a coding that is not known, and a body that is damaged, are clear errors', async () => {
  const unknown = await ask(send(200, 'application/json', 'compress', Buffer.from('xx')))
  expect([unknown.status, unknown.text]).toEqual([502, expect.stringContaining('it is encoded as compress')])
  const noise = await ask(send(400, 'application/json', 'compress', Buffer.from([0x1f, 0x9d, 0x90, 0xff])))
  expect([noise.status, noise.text]).toEqual([400, expect.stringContaining('The provider answered with status 400.')])
  const damaged = zlib.gzipSync(WHOLE)
  damaged.fill(0xff, 12)
  const { status, text } = await ask(send(200, 'application/json', 'gzip', damaged))
  expect([status, text]).toEqual([502, expect.stringContaining('it is not encoded with gzip')])
})

test.each([
  ['text/plain', WHOLE, false],
  ['application/octet-stream', WHOLE, false],
  ['application/json; charset=iso-8859-1', WHOLE, false],
  ['application/json', `\u{feff}${WHOLE}`, false],
  ['application/json', EVENTS, true],
  ['application/json; charset=utf-8', `: hi\n\n${EVENTS}`, true],
  ['text/plain', EVENTS, true],
  ['text/event-stream', `\u{feff}${EVENTS}`, true],
  ['text/event-stream', WHOLE, true],
])('a body decides what it is, not its label: %s', async (type, body, stream) => {
  const reply = await ask(send(200, type, undefined, Buffer.from(body)), { stream })
  expect(reply).toMatchObject({ status: 200, text: expect.stringContaining('hello') })
})
