// @module-tag slow
import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { expect, test } from 'vitest'
import { cutSlowReader } from './slow-reader.ts'

const LARGE = 32 * 1_048_576

async function serve(stallMs: number): Promise<{ port: number; ended: Promise<boolean>; close: () => void }> {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const server = createServer((_, reply) => {
    reply.on('close', () => resolve(reply.writableFinished))
    reply.writeHead(200, ['Content-Length', String(LARGE)]).end(Buffer.alloc(LARGE))
    cutSlowReader(reply, stallMs)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { port: (server.address() as AddressInfo).port, ended: promise, close: () => void server.close() }
}

function ask(port: number): Socket {
  const socket = connect(port, '127.0.0.1', () =>
    socket.write('GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'),
  )
  socket.on('error', () => {})
  return socket
}

test('a client that reads nothing is cut', async () => {
  const { port, ended, close } = await serve(100)
  const socket = ask(port).pause()
  expect(await ended).toBe(false)
  socket.destroy()
  close()
})

test('a client that keeps reading, however slowly, gets everything', async () => {
  const { port, ended, close } = await serve(1_500)
  let received = 0
  const socket = ask(port)
  socket.on('data', (chunk) => {
    received += chunk.length
    socket.pause()
    setTimeout(() => socket.resume(), 6)
  })
  expect(await ended).toBe(true)
  await once(socket, 'close')
  expect(received).toBeGreaterThanOrEqual(LARGE)
  close()
})
