import { createServer, request, type Server, type ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { type ChunkWriter, openChunkWriter } from './chunk-writer.ts'

let server: Server | undefined
afterEach(() => {
  server?.closeAllConnections()
  server?.close()
})

async function serve(answer: (reply: ServerResponse) => void): Promise<number> {
  server = createServer((_, reply) => answer(reply))
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}

function open(reply: ServerResponse, onDrain: () => void = () => {}): ChunkWriter {
  reply.writeHead(200, ['Content-Type', 'text/plain'])
  return openChunkWriter(reply, onDrain)
}

function get(port: number): Promise<string> {
  return new Promise((resolve, reject) => {
    request({ port, host: '127.0.0.1' }, (reply) => {
      const chunks: Buffer[] = []
      reply.on('data', (chunk: Buffer) => chunks.push(chunk))
      reply.on('end', () => resolve(Buffer.concat(chunks).toString('latin1')))
      reply.on('error', reject)
    })
      .on('error', reject)
      .end()
  })
}

function raw(port: number, bytes: string): Promise<string> {
  return new Promise((resolve) => {
    let received = ''
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes))
    socket.on('data', (chunk) => (received += chunk.toString('latin1')))
    socket.on('close', () => resolve(received))
  })
}

const SIZES = [1, 15, 16, 255, 256, 4_095, 4_096, 16_384, 16_385, 100_000]

test('pieces of every size arrive as they were written', async () => {
  const pieces = SIZES.map((size, i) => Buffer.alloc(size, 0x61 + i))
  const port = await serve((reply) => {
    const writer = open(reply)
    for (const piece of pieces) writer.write(piece)
    writer.write(Buffer.alloc(0))
    writer.close()
    reply.end('the end')
  })
  expect(await get(port)).toBe(`${Buffer.concat(pieces).toString('latin1')}the end`)
})

test('the connection can be used again afterwards', async () => {
  const port = await serve((reply) => {
    const writer = open(reply)
    writer.write(Buffer.from('piece'))
    writer.close()
    reply.end()
  })
  const twice = 'GET / HTTP/1.1\r\nHost: x\r\n\r\nGET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'
  const received = await raw(port, twice)
  expect(received.split('5\r\npiece\r\n0\r\n\r\n')).toHaveLength(3)
})

test('a second request on the same connection waits for its turn', async () => {
  const replies: ServerResponse[] = []
  const port = await serve((reply) => void replies.push(reply))
  const received = raw(port, 'GET / HTTP/1.1\r\nHost: x\r\n\r\nGET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
  await expect.poll(() => replies.length).toBe(2)
  const [first, second] = replies
  if (first === undefined || second === undefined) throw new Error('two requests')
  const writers = [open(first), open(second)]
  writers[1]?.write(Buffer.from('later'))
  writers[0]?.write(Buffer.from('sooner'))
  for (const writer of writers) writer.close()
  second.end()
  first.end()
  const text = await received
  expect(text.indexOf('sooner')).toBeGreaterThan(0)
  expect(text.indexOf('sooner')).toBeLessThan(text.indexOf('later'))
})

test('an HTTP/1.0 client gets the bytes without chunks', async () => {
  const port = await serve((reply) => {
    const writer = open(reply)
    writer.write(Buffer.from('plain bytes'))
    writer.close()
    reply.end()
  })
  expect(await raw(port, 'GET / HTTP/1.0\r\n\r\n')).toMatch(/\r\n\r\nplain bytes$/)
})

test('a slow client is noticed, and so is when it has caught up', async () => {
  let drained = 0
  let isTaken = true
  const port = await serve((reply) => {
    const writer = open(reply, () => {
      drained += 1
      writer.close()
      reply.end()
    })
    while (isTaken) isTaken = writer.write(Buffer.alloc(16_000))
  })
  expect((await get(port)).length).toBeGreaterThan(16_000)
  expect(drained).toBe(1)
})
