import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { MessageReader } from '../wire/message-reader.ts'
import { type ReadyAnswer, readyAnswer } from './ready-answer.ts'
import { TimerWheel } from './timer-wheel.ts'

const PATH = 'POST /v1/chat/completions '
const UNKNOWN = 'HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n'
/** The parts of a request that determine the answer. */
const DECISIVE = /"(?:model": ?"[^"]+"|stream": ?true|include_usage": ?true)/g

export interface BenchProvider {
  /** Without `/v1`. */
  readonly url: string
  close(): Promise<void>
}

/**
 * A provider for the bench: it answers as the emulator does, with prepared bytes, and parses no more of a request than it needs.
 * All streams are written from one timer, a chunk per write.
 */
export async function openBenchProvider(): Promise<BenchProvider> {
  const wheel = new TimerWheel(
    () => Math.floor(performance.now()),
    (task) => void setTimeout(task, 1),
  )
  const answers = new Map<string, ReadyAnswer>()
  const answerTo = (body: string) => {
    const key = (body.match(DECISIVE) ?? []).join()
    const known = answers.get(key) ?? readyAnswer(body)
    answers.set(key, known)
    return known
  }
  const sockets = new Set<Socket>()
  const server = createServer({ noDelay: true }, (socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    // A target that disconnects is not a fault of the provider.
    socket.on('error', () => socket.destroy())
    let reader = new MessageReader()
    let body = ''
    socket.on('data', (piece) => {
      body += reader.read(piece).toString('latin1')
      if (!reader.isWhole) return
      if (reader.head.startsWith(PATH)) send(socket, wheel, answerTo(body))
      else socket.write(UNKNOWN)
      reader = new MessageReader()
      body = ''
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the provider has no port')
  return {
    url: `http://127.0.0.1:${address.port}`,
    close: async () => {
      server.close()
      for (const socket of sockets) socket.destroy()
      await once(server, 'close')
    },
  }
}

function send(socket: Socket, wheel: TimerWheel, { delayMs, gapMs, writes }: ReadyAnswer): void {
  let next = 0
  const turn = () => {
    if (socket.destroyed) return false
    // A target that does not read gets no more data until it does.
    if (!socket.writableNeedDrain) socket.write(writes[next++] ?? '')
    return next < writes.length
  }
  const begin = () => {
    if (turn()) wheel.add(gapMs, turn)
  }
  if (delayMs > 0) setTimeout(begin, delayMs)
  else begin()
}
