import { createServer, type IncomingMessage, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterEach, expect, test } from 'vitest'
import { BodyClaim, BodyMemory } from './body-memory.ts'
import { type BodyLimits, type BodyResult, readBody } from './read-body.ts'

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

let server: Server
afterEach(() => {
  server.closeAllConnections()
  server.close()
})

const MIB = 1_048_576
const OWNER = { network: '203.0.113.7', userId: 1 }
const LIMITS: BodyLimits = { bytes: 8 * MIB, timeoutMs: 10_000, leastRate: 0, spanMs: 10_000 }

async function upload(headers: Record<string, string>, limits = LIMITS, memory = new BodyMemory(64 * MIB, MIB)) {
  const claim = new BodyClaim(memory, OWNER)
  const reading = new Promise<{ readonly incoming: IncomingMessage; readonly result: Promise<BodyResult> }>(
    (resolve) => {
      server = createServer((incoming) => resolve({ incoming, result: readBody(incoming, limits, claim) }))
    },
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const sending = request({ port, host: '127.0.0.1', method: 'POST', headers })
  sending.on('error', () => {}).flushHeaders()
  const { result, incoming } = await reading
  return { sending, claim, incoming, result: () => result }
}

function used(): number {
  collectGarbage()
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return heapUsed + arrayBuffers
}

test('a body in chunks of one byte takes no more memory than is counted for it', { tags: 'S43' }, async () => {
  const { sending, incoming, result } = await upload({ 'transfer-encoding': 'chunked' })
  const pieces = 60_000
  const before = used()
  let seen = 0
  incoming.on('data', (piece: Buffer) => (seen += piece.length))
  sending.socket?.write('1\r\nx\r\n'.repeat(pieces))
  await expect.poll(() => seen).toBe(pieces)
  const grown = used() - before
  sending.socket?.write('0\r\n\r\n')
  expect((await result()).body).toHaveLength(pieces)
  expect(grown).toBeLessThan(2 * MIB)
})

test('a body of a declared length is held once, from its first byte on', { tags: 'S43' }, async () => {
  const memory = new BodyMemory(20 * MIB, 8 * MIB)
  const { sending, result, claim } = await upload({ 'content-length': String(8 * MIB) }, LIMITS, memory)
  // 8 of 20 MiB are taken: 12 more fit, but not one byte more.
  expect(memory.take({ network: 'another', userId: 2 }, 12 * MIB + 1)).toMatchObject({ code: 'overloaded' })
  sending.end(Buffer.alloc(8 * MIB, 'x'))
  const { body } = await result()
  expect([body?.length, body?.buffer.byteLength]).toEqual([8 * MIB, 8 * MIB])
  expect(memory.take({ network: 'another', userId: 2 }, 12 * MIB)).toBeUndefined()
  claim.release()
  expect(memory.take({ network: 'a third', userId: 3 }, 8 * MIB)).toBeUndefined()
})

test('an upload that stalls is abandoned within two spans, and no longer holds anything', { tags: 'S43' }, async () => {
  const limits = { ...LIMITS, leastRate: 1_000, spanMs: 100 }
  const memory = new BodyMemory(4 * MIB, MIB)
  const { sending, result } = await upload({ 'content-length': String(MIB) }, limits, memory)
  sending.write(Buffer.alloc(100_000))
  expect(await result()).toEqual({ refusal: { code: 'body_too_slow', params: { rate: 1_000 } } })
  expect(memory.take(OWNER, 2 * MIB)).toBeUndefined()
})

test('an upload that is slow but fast enough arrives', async () => {
  const limits = { ...LIMITS, leastRate: 100, spanMs: 500 }
  const { sending, result } = await upload({ 'content-length': '1000' }, limits)
  for (let sent = 0; sent < 10; sent++) {
    sending.write(Buffer.alloc(100))
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  expect((await result()).body).toHaveLength(1_000)
})
