import { mkdtemp, rm } from 'node:fs/promises'
import {
  createServer,
  request as sendRequest,
  type IncomingMessage,
  type RequestListener,
  type Server,
} from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { createCallers } from '../edge/client-address.ts'
import { FORWARDED_CALLERS, openForwarding } from './forward.ts'

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close()
})

/** Starts a main thread's server that does this, and returns the address of a server that forwards to it. */
async function start(main: RequestListener, trustedProxies: readonly string[] = []): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'sluice-forward-'))
  closing.push(() => rm(directory, { recursive: true }))
  const socketPath = join(directory, 'main.sock')
  await listen(createServer(main), socketPath)
  const { forward, close } = openForwarding(socketPath, createCallers(trustedProxies))
  closing.push(close)
  const front = createServer((request, reply) => {
    reply.setHeader('x-request-id', 'of the thread')
    forward(request, reply)
  })
  await listen(front, 0)
  return `http://127.0.0.1:${(front.address() as AddressInfo).port}`
}

async function listen(server: Server, at: string | number): Promise<void> {
  await new Promise<void>((resolve) => server.listen(at, resolve))
  closing.push(() => {
    server.closeAllConnections()
    server.close()
  })
}

/** Sends these bytes, and returns what comes back until the connection is closed. */
function raw(url: string, bytes: string): Promise<string> {
  return new Promise((resolve) => {
    let received = ''
    const socket = connect(Number(new URL(url).port), '127.0.0.1', () => socket.write(bytes))
    socket.on('data', (chunk) => (received += chunk.toString()))
    socket.on('close', () => resolve(received))
  })
}

const text = async (request: IncomingMessage) => Buffer.concat(await request.toArray()).toString()

describe('a request that is passed on', () => {
  it('arrives as it was sent, and so does its reply', async () => {
    const url = await start((request, reply) => {
      void text(request).then((body) => {
        const { method, url: path, headers } = request
        reply.writeHead(207, ['Set-Cookie', 'a=1', 'Set-Cookie', 'b=2', 'X-Request-Id', 'of the main thread'])
        reply.end(JSON.stringify({ method, path, body, cookie: headers.cookie, host: headers.host }))
      })
    })
    const reply = await fetch(`${url}/api/x?y=%20`, {
      method: 'PUT',
      body: 'ü'.repeat(100_000),
      headers: { cookie: 'c=3' },
    })
    expect([reply.status, reply.headers.getSetCookie(), reply.headers.get('x-request-id')]).toEqual([
      207,
      ['a=1', 'b=2'],
      'of the main thread',
    ])
    const { body, ...rest } = (await reply.json()) as { readonly body: string }
    expect(body).toBe('ü'.repeat(100_000))
    expect(rest).toEqual({ method: 'PUT', path: '/api/x?y=%20', cookie: 'c=3', host: new URL(url).host })
  })

  it('says who made it, whatever the caller claims', { tags: 'S29' }, async () => {
    const seen: unknown[] = []
    const main: RequestListener = (request, reply) => {
      seen.push([FORWARDED_CALLERS.addressOf(request), FORWARDED_CALLERS.isSecure(request)])
      reply.end()
    }
    const lies = { 'sluice-caller-address': '10.0.0.1', 'sluice-caller-is-secure': 'true' }
    const forwarded = { 'x-forwarded-for': '203.0.113.9', 'x-forwarded-proto': 'https' }
    await fetch(await start(main), { headers: { ...lies, ...forwarded } })
    await fetch(await start(main, ['127.0.0.1']), { headers: { ...lies, ...forwarded } })
    expect(seen).toEqual([
      ['127.0.0.1', false],
      ['203.0.113.9', true],
    ])
  })

  it('is one request, however its body is framed', { tags: 'S8' }, async () => {
    const seen: unknown[] = []
    const url = await start((request, reply) => {
      void text(request).then((body) => {
        seen.push([request.method, request.url, body])
        reply.end()
      })
    })
    const inner = 'GET /api/user/ HTTP/1.1\r\nHost: x\r\nSluice-Caller-Address: 127.0.0.1\r\n\r\n'
    for (const method of ['DELETE', 'GET', 'OPTIONS', 'POST']) {
      const chunk = `${inner.length.toString(16)}\r\n${inner}\r\n0\r\n\r\n`
      const chunked = `${method} /api/x HTTP/1.1\r\nHost: x\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n${chunk}`
      const long = `${method} /api/y HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: ${inner.length}\r\n\r\n${inner}`
      for (const bytes of [chunked, long]) expect(await raw(url, bytes)).toMatch(/^HTTP\/1.1 200 OK/)
    }
    expect(seen).toEqual(
      ['DELETE', 'GET', 'OPTIONS', 'POST'].flatMap((method) => [
        [method, '/api/x', inner],
        [method, '/api/y', inner],
      ]),
    )
  })

  it('is given up by both sides when one of them leaves', async () => {
    const events: string[] = []
    const url = await start((request, reply) => {
      if (request.url === '/breaks') {
        reply.write('half', () => reply.destroy())
        return
      }
      reply.write('begun')
      reply.on('close', () => events.push('the client has left'))
    })
    await expect(fetch(`${url}/breaks`).then((reply) => reply.text())).rejects.toThrow()
    const sent = sendRequest(`${url}/waits`, (reply) => reply.once('data', () => sent.destroy()))
    sent.on('error', () => {})
    sent.end()
    await expect.poll(() => events).toEqual(['the client has left'])
  })

  it('is refused by a closed connection when the main thread does not listen', async () => {
    const { forward, close } = openForwarding(join(tmpdir(), 'sluice-nobody-listens.sock'), createCallers([]))
    closing.push(close)
    const front = createServer(forward)
    await listen(front, 0)
    const { port } = front.address() as AddressInfo
    expect(await raw(`http://127.0.0.1:${port}`, 'GET / HTTP/1.1\r\nHost: x\r\n\r\n')).toBe('')
  })
})
