import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'

/** A provider at byte level, for answers that no HTTP server would send. */
export interface RawUpstream {
  readonly url: string
  /** Head and body of each request, as text. */
  readonly requests: readonly string[]
  readonly closed: number
  close(): Promise<void>
}

/** `answer` gets each whole request; it may write to the socket, wait, or destroy it. */
export async function startRawUpstream(
  answer: (socket: Socket, request: string, count: number) => void,
): Promise<RawUpstream> {
  const requests: string[] = []
  const sockets = new Set<Socket>()
  let closed = 0
  const server = createServer((socket) => {
    sockets.add(socket)
    let received = ''
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1')
      const head = received.indexOf('\r\n\r\n')
      const length = Number(/content-length: (\d+)/i.exec(received)?.[1] ?? 0)
      if (head === -1 || received.length < head + 4 + length) return
      const request = received.slice(0, head + 4 + length)
      received = received.slice(request.length)
      requests.push(request)
      answer(socket, request, requests.length)
    })
    socket.on('error', () => {})
    socket.on('close', () => {
      sockets.delete(socket)
      closed += 1
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the upstream has no port')
  return {
    url: `http://127.0.0.1:${address.port}`,
    requests,
    get closed() {
      return closed
    },
    close: async () => {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
