// @module-tag slow
import { connect } from 'node:net'
import { gzipSync } from 'node:zlib'
import { EDGE_DEPS, rawReply } from '@sluice/testkit/servers/edge-deps'
import { afterEach, expect, test } from 'vitest'
import type { EdgeDeps } from './edge-deps.ts'
import type { AcceptedOnSocket } from './exchange.ts'
import { openEdge, type Edge } from './server.ts'
import { writeRefusal } from './write-refusal.ts'

let edge: Edge | undefined
afterEach(async () => {
  edge?.server.closeAllConnections()
  await edge?.close(0)
  edge = undefined
})

const { limits } = EDGE_DEPS

/** The relay of these tests: replies with the body's length, or with the refusal from reading it. */
async function lengthOfBody(accepted: AcceptedOnSocket): Promise<void> {
  const { body, refusal } = await accepted.readBody({ userId: 1 })
  if (body === undefined) {
    if (refusal !== undefined) writeRefusal(accepted.reply, refusal, accepted.id, accepted.replyHeaders)
    return
  }
  accepted.reply.writeHead(200, [...accepted.replyHeaders]).end(String(body.length))
}

async function start(overrides: Partial<EdgeDeps> = {}): Promise<{ edge: Edge; url: string; port: number }> {
  edge = openEdge({ ...EDGE_DEPS, relay: lengthOfBody, ...overrides })
  const { port } = await edge.listen(0, '127.0.0.1')
  return { edge, port, url: `http://127.0.0.1:${port}` }
}

const post = (path: string, headers: string) => `POST ${path} HTTP/1.1\r\nHost: x\r\n${headers}\r\n`

test('a write after the end of one answer leaves the others alone, and is logged', async () => {
  const faults: unknown[] = []
  const { url } = await start({
    relay: ({ reply }) => {
      reply.end('whole')
      reply.write('too late')
      return Promise.resolve()
    },
    log: { error: (fault) => faults.push(fault) },
  })
  for (let at = 1; at <= 2; at++) {
    expect(await (await fetch(`${url}/v1/x`, { method: 'POST', body: '{}' })).text()).toBe('whole')
    await expect.poll(() => faults).toHaveLength(at)
  }
  expect(faults).toMatchObject([{ error: { code: 'ERR_STREAM_WRITE_AFTER_END' } }, {}])
})

test('every reply carries its request id twice, 32 hex characters', async () => {
  const { url } = await start()
  for (const path of ['/v1/x', '/api/x', '/healthz', '/nothing']) {
    const reply = await fetch(url + path, { method: path === '/v1/x' ? 'POST' : 'GET' })
    expect(reply.headers.get('x-request-id')).toMatch(/^[0-9a-f]{32}$/)
    expect(reply.headers.get('x-oneapi-request-id')).toBe(reply.headers.get('x-request-id'))
  }
})

test('`/health` answers as `/healthz` does, where the console has no page', async () => {
  const { url } = await start()
  const reply = await fetch(`${url}/health`)
  expect([reply.status, await reply.text()]).toEqual([200, 'ok\n'])
})

test.each([
  ['a spelling that is not one', '/api/user%2Cself', ''],
  ['a second host', '/api/status', 'Host: y\r\n'],
  ['an upgrade', '/api/status', 'Connection: Upgrade\r\nUpgrade: websocket\r\n'],
])('%s of a management path is refused in the envelope of its API, in the caller’s language', async (_, path, more) => {
  const { port } = await start()
  const get = (language: string) =>
    rawReply(
      port,
      `GET ${path} HTTP/1.1\r\nHost: x\r\nAccept-Language: ${language}\r\n${more || 'Connection: close\r\n'}\r\n`,
    )
  const english = await get('en')
  expect(english).toMatch(/\r\n\r\n\{"success":false,"message":"[\x20-\x7e’]+","code":"\w+"\}$/)
  expect(await get('zh-CN')).toMatch(/"message":"[^"]*[\u4e00-\u9fff]/)
})

test('a body over the limit is refused before it is read when its length is declared', { tags: 'S27' }, async () => {
  const { port } = await start()
  const reply = await rawReply(port, post('/v1/x', 'Content-Length: 10001\r\n'), 'x'.repeat(10_001))
  expect(reply).toContain('413 Payload Too Large')
  expect(reply).toContain('"code":"body_too_large"')
  expect(reply).toContain('10000 bytes')
})

test('a body over the limit is refused while it arrives when its length is not declared', { tags: 'S27' }, async () => {
  const { port } = await start()
  const chunk = `1000\r\n${'x'.repeat(4096)}\r\n`
  const reply = await rawReply(port, post('/v1/x', 'Transfer-Encoding: chunked\r\n'), chunk, chunk, chunk, chunk)
  expect(reply).toContain('413 Payload Too Large')
})

test('a client that sends Expect first gets its refusal before it uploads', async () => {
  const { port } = await start()
  const reply = await rawReply(port, post('/v1/x', 'Content-Length: 99999\r\nExpect: 100-continue\r\n'))
  expect(reply).not.toContain('100 Continue')
  expect(reply).toContain('413 Payload Too Large')
})

test('a body that does not arrive in time is refused', { tags: 'S27' }, async () => {
  const { port } = await start()
  const reply = await rawReply(port, post('/v1/x', 'Content-Length: 50\r\n'), 'slow')
  expect(reply).toContain('408 Request Timeout')
  expect(reply).toContain('"code":"body_timeout"')
})

test(
  'a body in an unknown coding is refused with its name, and with those that are taken',
  { tags: 'S27' },
  async () => {
    const { url } = await start()
    for (const coding of ['compress', 'gzip, br']) {
      const reply = await fetch(`${url}/v1/x`, { method: 'POST', body: 'x', headers: { 'content-encoding': coding } })
      expect(reply.status).toBe(415)
      expect(reply.headers.get('accept-encoding')).toBe('gzip, deflate, br, zstd')
      expect(await reply.text()).toContain(`Content-Encoding ${coding}`)
    }
  },
)

test('a compressed body is decoded within the limit of a plain one', { tags: 'S27' }, async () => {
  const { url } = await start()
  const send = (body: Buffer, coding: string) =>
    fetch(`${url}/v1/x`, { method: 'POST', body: new Uint8Array(body), headers: { 'content-encoding': coding } })
  const small = await send(gzipSync('x'.repeat(limits.bodyLimit)), 'GZIP')
  expect([small.status, await small.text()]).toEqual([200, String(limits.bodyLimit)])
  const large = await send(gzipSync('x'.repeat(limits.bodyLimit + 1)), 'gzip')
  expect([large.status, await large.text()]).toEqual([413, expect.stringContaining('"code":"body_too_large"')])
  const wrong = await send(Buffer.from('{}'), 'gzip')
  expect([wrong.status, await wrong.text()]).toEqual([400, expect.stringContaining('"code":"body_not_decodable"')])
})

test('HEAD is answered as GET without its body, and a proxy’s whole address as its path', { tags: 'S8' }, async () => {
  const seen: string[] = []
  const { port, url } = await start({
    relay: async (accepted) => {
      seen.push(`${accepted.method} ${accepted.path}?${accepted.query}`)
      accepted.reply.writeHead(200, [...accepted.replyHeaders, 'Content-Length', '5']).end('hello')
    },
  })
  const head = await fetch(`${url}/v1/models`, { method: 'HEAD' })
  expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([200, '5', ''])
  await fetch(`${url}/v1/oneapi/proxy/1/x`, { method: 'HEAD' })
  const proxied = (target: string) => rawReply(port, `GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`)
  expect(await proxied('http://elsewhere.test:8080/v1/models?a=1')).toContain('hello')
  expect(await proxied('https://elsewhere.test')).toContain('console')
  expect(await proxied('http://user@elsewhere.test/v1/models')).toContain('404')
  expect(seen).toEqual(['GET /v1/models?', 'HEAD /v1/oneapi/proxy/1/x?', 'GET /v1/models?a=1'])
})

test(
  'the last of many headers arrives like the first, until they are too large together',
  { tags: 'S27' },
  async () => {
    const { port } = await start({
      relay: async ({ headers, reply, replyHeaders }) => {
        reply.writeHead(200, [...replyHeaders]).end(headers.authorization)
      },
    })
    const send = (count: number) => {
      const many = Array.from({ length: count }, (_, at) => `X-${at}: y\r\n`).join('')
      return rawReply(port, post('/v1/x', `${many}Authorization: Bearer sk-last\r\nConnection: close\r\n`))
    }
    expect(await send(1_000)).toContain('Bearer sk-last')
    expect(await send(4_000)).toContain('HTTP/1.1 431 ')
  },
)

test('memory of bodies is bounded and returned when the reply is over', { tags: 'S27' }, async () => {
  const waiting: (() => void)[] = []
  const { url } = await start({
    relay: async (accepted) => {
      const { body, refusal } = await accepted.readBody({ userId: 1 })
      if (refusal !== undefined) return writeRefusal(accepted.reply, refusal, accepted.id)
      await new Promise<void>((resolve) => waiting.push(resolve))
      accepted.reply.end(String(body?.length))
    },
  })
  const send = () => fetch(`${url}/v1/x`, { method: 'POST', body: 'x'.repeat(8_000) })
  const first = send()
  await expect.poll(() => waiting.length).toBe(1)
  const refused = await send()
  expect(refused.status).toBe(503)
  expect(refused.headers.get('retry-after')).toBe('1')
  waiting.pop()?.()
  expect(await (await first).text()).toBe('8000')
  const second = send()
  await expect.poll(() => waiting.length).toBe(1)
  waiting.pop()?.()
  expect((await second).status).toBe(200)
})

test(
  'memory for a body made from another one is reserved on top of it, and returned with it',
  { tags: 'S27' },
  async () => {
    const { url } = await start({
      relay: async (accepted) => {
        const { body } = await accepted.readBody({ userId: 1 })
        const refusal = accepted.claimBody(Number(body?.toString()))
        if (refusal !== undefined) return writeRefusal(accepted.reply, refusal, accepted.id)
        accepted.reply.end()
      },
    })
    const statusOf = async (body: string) => (await fetch(`${url}/v1/x`, { method: 'POST', body })).status
    expect(await statusOf('10001')).toBe(413)
    for (let i = 0; i < 3; i++) expect(await statusOf('10000')).toBe(200)
    expect(await statusOf('6000'.padStart(9_001, '0'))).toBe(503)
  },
)

test('a client that vanishes during its upload leaves nothing open', async () => {
  const { edge, port } = await start({ limits: { ...limits, bodyTimeoutMs: 10_000 } })
  const socket = connect(port, '127.0.0.1', () => socket.write(post('/v1/x', 'Content-Length: 50\r\n') + 'half'))
  await expect.poll(() => edge.exchanges.count).toBe(1)
  socket.destroy()
  await expect.poll(() => edge.exchanges.count).toBe(0)
})

test('the signal aborts when the client leaves during the answer', async () => {
  let aborted = false
  const { edge, port } = await start({
    relay: async (accepted) => {
      await accepted.readBody({ userId: 1 })
      accepted.reply.write('first')
      await new Promise((resolve) => accepted.signal.addEventListener('abort', resolve))
      aborted = true
    },
  })
  const socket = connect(port, '127.0.0.1', () => socket.write(post('/v1/x', 'Content-Length: 0\r\n')))
  socket.once('data', () => socket.destroy())
  await expect.poll(() => aborted).toBe(true)
  await expect.poll(() => edge.exchanges.count).toBe(0)
})

test('more requests than the limit are refused early with retry advice', { tags: 'S27' }, async () => {
  const { url } = await start({ limits: { ...limits, maxRequests: 1 }, relay: () => new Promise(() => {}) })
  fetch(`${url}/v1/x`, { method: 'POST' }).catch(() => {})
  await expect.poll(async () => (await fetch(`${url}/readyz`)).status).toBe(503)
  const reply = await fetch(`${url}/v1/x`, { method: 'POST' })
  expect(reply.status).toBe(503)
  expect(reply.headers.get('retry-after')).toBe('1')
  edge?.server.closeAllConnections()
  edge = undefined
})

test('a relay that fails unexpectedly answers 500 in the usual shape, is logged and counted', async () => {
  const logged: object[] = []
  const counted: string[] = []
  const { url } = await start({
    relay: () => Promise.reject(new Error('a bug')),
    log: { error: (fields) => void logged.push(fields) },
    onRefused: (code) => void counted.push(code),
  })
  const reply = await fetch(`${url}/v1/x`, { method: 'POST' })
  expect(reply.status).toBe(500)
  expect(await reply.json()).toMatchObject({ error: { code: 'internal', type: 'sluice_error' } })
  expect([logged.length, counted]).toEqual([1, ['internal']])
})

test('browsers on any origin may call /v1, never with credentials', { tags: 'S21' }, async () => {
  const { url } = await start()
  const preflight = await fetch(`${url}/v1/x`, {
    method: 'OPTIONS',
    headers: { origin: 'https://evil.example', 'access-control-request-headers': 'authorization, x-stainless-os' },
  })
  expect(preflight.status).toBe(204)
  expect(preflight.headers.get('access-control-allow-headers')).toBe('authorization, x-stainless-os')
  const reply = await fetch(`${url}/v1/x`, { method: 'POST', headers: { origin: 'https://evil.example' } })
  for (const headers of [preflight.headers, reply.headers]) {
    expect(headers.get('access-control-allow-origin')).toBe('*')
    expect(headers.get('access-control-allow-credentials')).toBeNull()
    expect(headers.get('access-control-expose-headers')).toContain(
      'Retry-After, X-Should-Retry, X-RateLimit-Limit-Requests',
    )
  }
  const management = await fetch(`${url}/api/x`, { headers: { origin: 'https://evil.example' } })
  expect(management.headers.get('access-control-allow-origin')).toBeNull()
})

test('readiness follows the database and the overload check; liveness does not', async () => {
  const { url } = await start({ databaseProblem: () => Promise.resolve('locked') })
  expect((await fetch(`${url}/healthz`)).status).toBe(200)
  const ready = await fetch(`${url}/readyz`)
  expect(ready.status).toBe(503)
  expect(await ready.text()).toBe('not ready: locked\n')
})

test('closing lets a running answer finish and refuses new ones', async () => {
  let finish = () => {}
  const { edge, url } = await start({
    relay: async (accepted) => {
      await new Promise<void>((resolve) => (finish = resolve))
      accepted.reply.end('whole')
    },
  })
  const running = fetch(`${url}/v1/x`, { method: 'POST' })
  await expect.poll(() => edge.exchanges.count).toBe(1)
  const closed = edge.close(5_000)
  await expect.poll(() => edge.exchanges.draining).toBe(true)
  finish()
  expect(await (await running).text()).toBe('whole')
  expect(await closed).toBe(0)
})

test('closing cuts what is still running when its time is over', async () => {
  const { edge, url } = await start({
    relay: async (accepted) => {
      await new Promise((resolve) => accepted.signal.addEventListener('abort', resolve))
      accepted.reply.destroy()
    },
  })
  const running = fetch(`${url}/v1/x`, { method: 'POST' }).catch((error: unknown) => error)
  await expect.poll(() => edge.exchanges.count).toBe(1)
  expect(await edge.close(10)).toBe(1)
  expect(await running).toBeInstanceOf(Error)
})

test.each([
  ['garbage', 'GARBAGE\r\n\r\n', '400 Bad Request'],
  [
    'huge headers',
    `GET / HTTP/1.1\r\nHost: x\r\nX: ${'y'.repeat(20_000)}\r\n\r\n`,
    '431 Request Header Fields Too Large',
  ],
  [
    'two lengths',
    'POST /v1/x HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n',
    '400 Bad Request',
  ],
])('%s is answered with a clear error and the connection is closed', async (_, bytes, line) => {
  const { port } = await start()
  const reply = await rawReply(port, bytes)
  expect(reply.split('\r\n')[0]).toBe(`HTTP/1.1 ${line}`)
  expect(reply).toContain('"type":"invalid_request_error"')
})

test.each(['\u00fc.\u00fc/api/status?', 'one/api/status?', 'one@two', 'one two', 'one\\two', 'one#'])(
  'a Host that is not a host, and would be read into the address, is refused: %s',
  { tags: 'S8' },
  async (host) => {
    const { port } = await start()
    const reply = await rawReply(port, `GET /api/user/ HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`)
    expect(reply).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/)
  },
)

test.each([
  ['a call', 'POST /v1/x HTTP/1.1\r\n'],
  ['the management API', 'GET /api/status HTTP/1.1\r\n'],
  ['a websocket', 'GET /v1/realtime HTTP/1.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n'],
])('two Host headers are refused: %s', { tags: 'S8' }, async (_, head) => {
  const { port } = await start()
  const reply = await rawReply(port, `${head}Host: one\r\nConnection: close\r\nhOST: two\r\nContent-Length: 0\r\n\r\n`)
  expect(reply).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/)
  expect(reply).toContain('"code":"several_hosts"')
})

test(
  'a file may take longer to arrive than other requests, and only for as long as somebody reads it',
  { tags: 'S43' },
  async () => {
    let arrived = ''
    const { edge: opened, port } = await start({
      management: (request, reply) => {
        if (request.url?.startsWith('/api/import/upload')) {
          request.on('data', (piece: Buffer) => (arrived += piece.toString())).on('end', () => reply.end('stored'))
        } else request.on('end', () => reply.end('read'))
      },
    })
    opened.server.headersTimeout = 1
    opened.server.requestTimeout = 1
    let late = 0
    opened.server.on('clientError', ({ code }: NodeJS.ErrnoException) => {
      if (code === 'ERR_HTTP_REQUEST_TIMEOUT') late++
    })
    const slow = (path: string) => {
      let received = ''
      const socket = connect(port, '127.0.0.1', () => socket.write(post(path, 'Content-Length: 4\r\n')))
      socket.on('data', (chunk) => (received += chunk.toString()))
      return { socket, received: () => received }
    }
    const [upload, other] = [slow('/api/import/upload/'), slow('/api/user/')]
    await expect.poll(() => late, { timeout: 20_000 }).toBe(2)
    upload.socket.write('file')
    await expect.poll(upload.received).toContain('stored')
    expect(arrived).toBe('file')
    expect(other.received()).toContain('408 Request Timeout')
    upload.socket.destroy()
  },
)
