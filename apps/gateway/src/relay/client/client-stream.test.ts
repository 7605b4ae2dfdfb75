import { once } from 'node:events'
import { createServer, type Server, type ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { openAiFormat } from '@sluice/dialects/openai-chat/client-format'
import { afterEach, expect, test } from 'vitest'
import { ClientStream } from './client-stream.ts'

let server: Server | undefined
afterEach(() => {
  server?.closeAllConnections()
  server?.close()
  server = undefined
})

const TIMES = { keepAliveMs: 10, clientStallMs: 10_000, readOnMs: 10_000 }
const REQUEST = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n'
const LAST = new TextEncoder().encode('data: [DONE]\n\n')

/** Sends this many requests at once, and returns what `answer` received and all bytes that arrived until it resolves. */
async function pipelined(
  count: number,
  answer: (replies: readonly ServerResponse[]) => Promise<void>,
): Promise<string> {
  const replies: ServerResponse[] = []
  let got = ''
  const allCame = new Promise<void>((resolve) => {
    server = createServer((_, reply) => {
      replies.push(reply)
      if (replies.length === count) resolve()
    })
  })
  const listening = server as Server
  listening.listen(0, '127.0.0.1')
  await once(listening, 'listening')
  const socket = connect((listening.address() as AddressInfo).port, '127.0.0.1')
  socket.on('data', (chunk) => (got += chunk.toString())).on('error', () => {})
  socket.write(REQUEST.repeat(count))
  await allCame
  await answer(replies)
  await new Promise((resolve) => setTimeout(resolve, 50))
  socket.destroy()
  return got
}

const open = (reply: ServerResponse) => new ClientStream(reply, openAiFormat, [], TIMES, () => true, 0)

test('a stream that has ended is not pinged, though its last bytes wait for their turn', async () => {
  const errors: Error[] = []
  const got = await pipelined(2, async ([first, second]) => {
    if (first === undefined || second === undefined) throw new Error('no replies')
    const stream = open(second)
    second.on('error', (error) => errors.push(error))
    stream.end(LAST)
    // The first answer on the connection is still running, so no part of the second has been sent.
    stream.beat(1_000)
    await new Promise((resolve) => setTimeout(resolve, 20))
    first.end('first')
  })
  expect(errors).toEqual([])
  expect(got).toContain('first')
  expect(got.endsWith('data: [DONE]\n\n\r\n0\r\n\r\n')).toBe(true)
})

test('nothing follows the end of a stream on its connection', async () => {
  const got = await pipelined(1, async ([reply]) => {
    if (reply === undefined) throw new Error('no reply')
    const stream = open(reply)
    stream.beat(1_000)
    stream.end(LAST)
    // The reply's bytes can wait here as long as the client does not read.
    stream.beat(2_000)
    await once(reply, 'close')
  })
  expect(got).toContain(': ping')
  expect(got.endsWith('data: [DONE]\n\n\r\n0\r\n\r\n')).toBe(true)
})
