import { connect } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { createCallers } from './client-address.ts'
import type { AcceptedOnSocket } from './exchange.ts'
import { newRequestId } from './request-id.ts'
import { openEdge, type Edge, type EdgeDeps } from './server.ts'
import { refusalBody, writeRefusal } from './write-refusal.ts'

let edge: Edge | undefined
afterEach(async () => {
  edge?.server.closeAllConnections()
  await edge?.close(0)
  edge = undefined
})

const limits = { bodyLimit: 10_000, bodyMemory: 15_000, bodyTimeoutMs: 200, bodyRate: 0, maxRequests: 3 }

/** The relay of these tests: replies with the length of the body, or with the refusal that reading it gave. */
async function lengthOfBody(accepted: AcceptedOnSocket): Promise<void> {
  const { body, refusal } = await accepted.readBody({ userId: 1 })
  if (body === undefined) {
    if (refusal !== undefined) writeRefusal(accepted.reply, refusal, accepted.id, accepted.replyHeaders)
    return
  }
  accepted.reply.writeHead(200, [...accepted.replyHeaders]).end(String(body.length))
}

async function start(overrides: Partial<EdgeDeps> = {}): Promise<{ edge: Edge; url: string; port: number }> {
  edge = openEdge({
    limits,
    callers: createCallers([]),
    now: Date.now,
    newId: newRequestId,
    relay: lengthOfBody,
    management: (_, reply) => void reply.end('management'),
    metrics: (_, reply) => void reply.end('metrics'),
    refusalBody: () => refusalBody,
    onRefused: () => {},
    console: (_, reply) => void reply.end('console'),
    databaseProblem: () => Promise.resolve(''),
    overload: () => undefined,
    log: { error: () => {} },
    ...overrides,
  })
  const { port } = await edge.listen(0, '127.0.0.1')
  return { edge, port, url: `http://127.0.0.1:${port}` }
}

/** Sends raw bytes and returns everything that comes back until the server closes. */
function raw(port: number, ...writes: readonly string[]): Promise<string> {
  return new Promise((resolve) => {
    let received = ''
    const socket = connect(port, '127.0.0.1', () => {
      for (const text of writes) socket.write(text)
    })
    socket.on('data', (chunk) => (received += chunk.toString()))
    socket.on('error', () => {})
    socket.on('close', () => resolve(received))
  })
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

test('a body over the limit is refused before it is read when its length is declared', { tags: 'S27' }, async () => {
  const { port } = await start()
  const reply = await raw(port, post('/v1/x', 'Content-Length: 10001\r\n'), 'x'.repeat(10_001))
  expect(reply).toContain('413 Payload Too Large')
  expect(reply).toContain('"code":"body_too_large"')
  expect(reply).toContain('10000 bytes')
})

test('a body over the limit is refused while it arrives when its length is not declared', { tags: 'S27' }, async () => {
  const { port } = await start()
  const chunk = `1000\r\n${'x'.repeat(4096)}\r\n`
  const reply = await raw(port, post('/v1/x', 'Transfer-Encoding: chunked\r\n'), chunk, chunk, chunk, chunk)
  expect(reply).toContain('413 Payload Too Large')
})

test('a client that sends Expect first gets its refusal before it uploads', async () => {
  const { port } = await start()
  const reply = await raw(port, post('/v1/x', 'Content-Length: 99999\r\nExpect: 100-continue\r\n'))
  expect(reply).not.toContain('100 Continue')
  expect(reply).toContain('413 Payload Too Large')
})

test('a body that does not arrive in time is refused', { tags: 'S27' }, async () => {
  const { port } = await start()
  const reply = await raw(port, post('/v1/x', 'Content-Length: 50\r\n'), 'slow')
  expect(reply).toContain('408 Request Timeout')
  expect(reply).toContain('"code":"body_timeout"')
})

test('a compressed body is refused with the name of its encoding', { tags: 'S27' }, async () => {
  const { url } = await start()
  const reply = await fetch(`${url}/v1/x`, { method: 'POST', body: 'x', headers: { 'content-encoding': 'gzip' } })
  expect(reply.status).toBe(415)
  expect(await reply.text()).toContain('Content-Encoding gzip')
})

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
  expect(edge.exchanges.draining).toBe(true)
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
  const reply = await raw(port, bytes)
  expect(reply.split('\r\n')[0]).toBe(`HTTP/1.1 ${line}`)
  expect(reply).toContain('"type":"invalid_request_error"')
})

test.each(['\u00fc.\u00fc/api/status?', 'one/api/status?', 'one@two', 'one two', 'one\\two', 'one#'])(
  'a Host that is not a host, and would be read into the address, is refused: %s',
  { tags: 'S8' },
  async (host) => {
    const { port } = await start()
    const reply = await raw(port, `GET /api/user/ HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`)
    expect(reply).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/)
  },
)

test.each([
  ['a call', 'POST /v1/x HTTP/1.1\r\n'],
  ['the management API', 'GET /api/status HTTP/1.1\r\n'],
  ['a websocket', 'GET /v1/realtime HTTP/1.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n'],
])('two Host headers are refused: %s', { tags: 'S8' }, async (_, head) => {
  const { port } = await start()
  const reply = await raw(port, `${head}Host: one\r\nConnection: close\r\nhOST: two\r\nContent-Length: 0\r\n\r\n`)
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
