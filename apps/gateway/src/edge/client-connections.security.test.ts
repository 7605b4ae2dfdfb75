// @module-tag slow
import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { connect, type Socket } from 'node:net'
import { EDGE_DEPS } from '@sluice/testkit/servers/edge-deps'
import { afterEach, expect, test } from 'vitest'
import { createCallers } from './client-address.ts'
import type { EdgeDeps } from './edge-deps.ts'
import { type Edge, openEdge } from './server.ts'

/** All of 127.0.0.0/8 is this machine, so each address stands for a network. */
const ATTACKER = '127.0.0.2'
const OTHER = '127.0.0.3'
const MIB = 1_048_576

let edge: Edge | undefined
let sockets: Socket[] = []
afterEach(async () => {
  for (const socket of sockets) socket.destroy()
  sockets = []
  edge?.server.closeAllConnections()
  await edge?.close(0)
  edge = undefined
})

async function start(overrides: Partial<EdgeDeps> & { readonly maxConnections?: number }) {
  const { maxConnections = 100, ...deps } = overrides
  const limits = { ...EDGE_DEPS.limits, maxRequests: 30, maxConnections }
  edge = openEdge({ ...EDGE_DEPS, limits, ...deps })
  return await edge.listen(0, '127.0.0.1').then(({ port }) => port)
}

function open(port: number, localAddress: string) {
  const socket = connect({ port, host: '127.0.0.1', localAddress })
  sockets.push(socket)
  const seen = { socket, received: '', isOpen: true }
  socket.on('data', (chunk) => (seen.received += chunk.toString()))
  socket.on('error', () => {})
  socket.on('close', () => (seen.isOpen = false))
  return seen
}

const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`
const repliesIn = (text: string) => text.split('HTTP/1.1 200').length - 1

async function served(port: number, localAddress: string): Promise<string> {
  const client = open(port, localAddress)
  client.socket.write(get('/api/x'))
  await expect.poll(() => client.received !== '' || !client.isOpen).toBe(true)
  return client.received
}

test('of the requests that a client pipelines, one is worked on at a time, in order', { tags: 'S27' }, async () => {
  const pending: { path: string; reply: ServerResponse }[] = []
  const port = await start({
    management: ({ url = '' }, reply) => void pending.push({ path: url, reply }),
    relay: ({ path, reply }) => Promise.resolve(void pending.push({ path, reply })),
  })
  const client = open(port, ATTACKER)
  const paths = ['/api/1', '/v1/2', '/api/3', '/v1/4']
  client.socket.write(paths.map(get).join(''))
  for (const [at, path] of paths.entries()) {
    await expect.poll(() => pending.length).toBe(1)
    expect(repliesIn(client.received)).toBe(at)
    const [next] = pending.splice(0)
    expect(next?.path).toBe(path)
    next?.reply.end('done')
  }
  await expect.poll(() => repliesIn(client.received)).toBe(paths.length)
})

test('what waits on a connection that ends is never begun', { tags: 'S27' }, async () => {
  const begun: ServerResponse[] = []
  const port = await start({ management: (_, reply) => void begun.push(reply) })
  const client = open(port, ATTACKER)
  client.socket.write(get('/api/1') + get('/api/2'))
  await expect.poll(() => begun.length).toBe(1)
  const [first] = begun
  client.socket.destroy()
  if (first !== undefined && !first.closed) await once(first, 'close')
  const after = open(port, OTHER)
  after.socket.write(get('/v1/x'))
  await expect.poll(() => after.received).toContain('relayed')
  expect(begun.map(({ req }) => req.url)).toEqual(['/api/1'])
})

test('a client that pipelines without end is cut', { tags: 'S27' }, async () => {
  let begun = 0
  const port = await start({ management: () => void begun++ })
  const client = open(port, ATTACKER)
  client.socket.write(get('/api/x').repeat(60))
  await expect.poll(() => client.isOpen).toBe(false)
  expect(begun).toBe(1)
})

test(
  'a network that has its share of the connections gets room by its own longest idle one, never by those of others',
  { tags: 'S49' },
  async () => {
    const port = await start({ maxConnections: 20 })
    const other = open(port, OTHER)
    await once(other.socket, 'connect')
    const own: ReturnType<typeof open>[] = []
    for (let at = 0; at < 14; at++) {
      const client = open(port, ATTACKER)
      client.socket.write(get('/api/x'))
      await expect.poll(() => client.received).toContain('management')
      own.push(client)
    }
    await expect.poll(() => own.map(({ isOpen }) => isOpen)).toEqual([...Array(4).fill(false), ...Array(10).fill(true)])
    expect(other.isOpen).toBe(true)
    other.socket.write(get('/api/x'))
    await expect.poll(() => other.received).toContain('management')
  },
)

test(
  'a network that waits for a reply on all of its connections gets no more, and everyone else is served',
  { tags: 'S49' },
  async () => {
    const dropped: unknown[] = []
    let waiting = 0
    const port = await start({
      maxConnections: 8,
      management: ({ url }, reply) => void (url === '/api/slow' ? waiting++ : reply.end('management')),
      onDropped: (...how) => dropped.push(how),
    })
    const held = Array.from({ length: 4 }, () => open(port, ATTACKER))
    for (const { socket } of held) socket.write(get('/api/slow'))
    await expect.poll(() => waiting).toBe(4)
    const further = Array.from({ length: 8 }, () => open(port, ATTACKER))
    await expect.poll(() => further.some(({ isOpen }) => isOpen)).toBe(false)
    for (let at = 0; at < 6; at++) expect(await served(port, OTHER)).toContain('management')
    expect(held.filter(({ isOpen }) => isOpen)).toHaveLength(4)
    await expect.poll(() => dropped, { timeout: 3_000 }).toEqual([[8, 'ofNetwork']])
  },
)

test('when all connections are open, the longest idle one makes room, whosever it is', { tags: 'S49' }, async () => {
  const dropped: unknown[] = []
  const port = await start({ maxConnections: 6, onDropped: (...how) => dropped.push(how) })
  const clients = ['127.0.0.4', '127.0.0.5', '127.0.0.6', '127.0.0.7', '127.0.0.8', '127.0.0.10']
  const idle: ReturnType<typeof open>[] = []
  for (const address of clients) {
    const client = open(port, address)
    await once(client.socket, 'connect')
    idle.push(client)
  }
  expect(await served(port, OTHER)).toContain('management')
  await expect.poll(() => idle.map(({ isOpen }) => isOpen)).toEqual([false, true, true, true, true, true])
  // Its client may have been about to send a request.
  await expect.poll(() => dropped, { timeout: 3_000 }).toEqual([[1, 'all']])
})

test('a connection that has served its requests makes room without a report', { tags: 'S49' }, async () => {
  const dropped: unknown[] = []
  const port = await start({ maxConnections: 8, onDropped: (...how) => dropped.push(how) })
  const used = Array.from({ length: 4 }, () => open(port, ATTACKER))
  for (const { socket } of used) socket.write(get('/api/x'))
  await expect.poll(() => used.every(({ received }) => received.includes('management'))).toBe(true)
  expect(await served(port, ATTACKER)).toContain('management')
  await expect.poll(() => used.filter(({ isOpen }) => isOpen)).toHaveLength(3)
  expect(await served(port, OTHER)).toContain('management')
  await new Promise((resolve) => setTimeout(resolve, 1_200))
  expect(dropped).toEqual([])
})

test('a trusted proxy speaks for many, and has no share', { tags: 'S49' }, async () => {
  let waiting = 0
  const port = await start({
    maxConnections: 8,
    callers: createCallers([ATTACKER]),
    management: () => void waiting++,
  })
  const held = Array.from({ length: 8 }, () => open(port, ATTACKER))
  for (const { socket } of held) socket.write(get('/api/slow'))
  await expect.poll(() => waiting).toBe(8)
  expect(held.filter(({ isOpen }) => isOpen)).toHaveLength(8)
})

test('a client that leaves a reply of the management API unread is cut', { tags: 'S27' }, async () => {
  const large = Buffer.alloc(32 * MIB)
  const replies: ServerResponse[] = []
  const memory = { bodyLimit: 1_000, bodyMemory: 10_000, answerLimit: 1_000, answerMemory: 10_000 }
  const limits = { ...memory, bodyTimeoutMs: 200, bodyRate: 0, maxRequests: 30 }
  const port = await start({
    limits: { ...limits, clientStallMs: 100 },
    management: (_, reply) => {
      replies.push(reply)
      reply.end(large)
    },
    relay: ({ reply }) => {
      replies.push(reply)
      reply.end(large)
      return Promise.resolve()
    },
  })
  for (const path of ['/api/x', '/v1/x']) {
    const client = open(port, ATTACKER)
    client.socket.pause()
    client.socket.write(get(path))
    await expect.poll(() => replies.length).toBe(1)
    const [reply] = replies.splice(0)
    await expect.poll(() => [reply?.destroyed, reply?.writableFinished], { timeout: 5_000 }).toEqual([true, false])
  }
})
