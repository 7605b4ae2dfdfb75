import { once } from 'node:events'
import { connect } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { createCallers } from './client-address.ts'
import type { EdgeDeps } from './edge-deps.ts'
import type { AcceptedOnSocket } from './exchange.ts'
import { newRequestId } from './request-id.ts'
import { openEdge, type Edge } from './server.ts'
import { refusalBody } from './write-refusal.ts'

const limits = {
  bodyLimit: 10_000,
  bodyMemory: 15_000,
  bodyTimeoutMs: 200,
  bodyRate: 0,
  maxRequests: 3,
  clientStallMs: 60_000,
  answerLimit: 10_000,
  answerMemory: 40_000,
}

let edge: Edge | undefined
afterEach(async () => {
  await edge?.close(0)
  edge = undefined
})

async function start(relay: EdgeDeps['relay']): Promise<{ edge: Edge; url: string; port: number }> {
  edge = openEdge({
    limits,
    basePath: '',
    callers: createCallers([]),
    now: Date.now,
    newId: newRequestId,
    relay,
    management: (_, reply) => void reply.end('management'),
    metrics: (_, reply) => void reply.end('metrics'),
    refusalBody: () => refusalBody,
    onRefused: () => {},
    console: (_, reply) => void reply.end('console'),
    databaseProblem: () => Promise.resolve(''),
    overload: () => undefined,
    log: { error: () => {} },
  })
  const { port } = await edge.listen(0, '127.0.0.1')
  return { edge, port, url: `http://127.0.0.1:${port}` }
}

const answer = async ({ reply, replyHeaders }: AcceptedOnSocket) =>
  void reply.writeHead(200, replyHeaders).end('served')

test('a process that is about to stop says so first, keeps serving for a while, and sends its clients elsewhere', async () => {
  const { edge: leaving, url } = await start(answer)
  const before = await fetch(`${url}/v1/x`)
  expect(before.headers.get('connection')).toBe('keep-alive')
  const closed = leaving.close(1_000, 300)
  const ready = await fetch(`${url}/readyz`)
  expect([ready.status, await ready.text()]).toEqual([503, 'not ready: shutting_down\n'])
  expect((await fetch(`${url}/healthz`)).status).toBe(200)
  const served = await fetch(`${url}/v1/x`)
  expect([served.status, await served.text()]).toEqual([200, 'served'])
  expect(served.headers.get('connection')).toBe('close')
  expect(await closed).toBe(0)
  await expect(fetch(`${url}/healthz`)).rejects.toThrow('fetch failed')
  edge = undefined
})

test('a connection that was opened just before the stop can bring its request just after it', async () => {
  const { edge: leaving, port } = await start(answer)
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  await expect.poll(() => new Promise((resolve) => leaving.server.getConnections((_, count) => resolve(count)))).toBe(1)
  const closed = leaving.close(5_000)
  socket.write('GET /v1/x HTTP/1.1\r\nHost: x\r\n\r\n')
  const reply = Buffer.concat(await socket.toArray()).toString()
  expect(reply).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
  expect(reply).toMatch(/connection: close\r\n/i)
  expect(await closed).toBe(0)
  edge = undefined
})

test('a connection whose answer began before the stop is closed after it, even while others still run', async () => {
  const finish = new Map<string, () => void>()
  const { edge: leaving, port } = await start(async ({ path, reply, replyHeaders }) => {
    reply.writeHead(200, replyHeaders).write('begun')
    await new Promise<void>((resolve) => finish.set(path, resolve))
    reply.end('done')
  })
  const sockets = ['/v1/short', '/v1/long'].map((path) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`))
    return once(socket.resume(), 'end')
  })
  await expect.poll(() => finish.size).toBe(2)
  const closed = leaving.close(60_000)
  finish.get('/v1/short')?.()
  await sockets[0]
  expect(leaving.exchanges.count).toBe(1)
  finish.get('/v1/long')?.()
  await sockets[1]
  expect(await closed).toBe(0)
  edge = undefined
})

test('what was taken for a request is given back however it ends: answered, failed, or left by its client', async () => {
  const ended: string[] = []
  const { port, url } = await start(async (accepted) => {
    accepted.atEnd(() => ended.push(`${accepted.path} first`))
    accepted.atEnd(() => ended.push(`${accepted.path} second`))
    if (accepted.path === '/v1/fails') throw new Error('a bug')
    if (accepted.path === '/v1/stays') await once(accepted.signal, 'abort')
    else await answer(accepted)
  })
  await (await fetch(`${url}/v1/answers`)).text()
  await (await fetch(`${url}/v1/fails`)).text()
  const socket = connect(port, '127.0.0.1', () => socket.write('GET /v1/stays HTTP/1.1\r\nHost: x\r\n\r\n'))
  await expect.poll(() => edge?.exchanges.count).toBe(1)
  socket.destroy()
  await expect
    .poll(() => ended)
    .toEqual([
      '/v1/answers first',
      '/v1/answers second',
      '/v1/fails first',
      '/v1/fails second',
      '/v1/stays first',
      '/v1/stays second',
    ])
})
