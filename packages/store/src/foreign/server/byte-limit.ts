import type { Socket } from 'node:net'

/** More than any statement of ours asks for. */
const MAX_ANSWER_BYTES = 256 * 1024 * 1024
const LOOK_MS = 50

/** Bounds what a server makes this process hold: the drivers gather an answer in memory until it is whole. */
export interface ByteLimit {
  /** What was received so far belongs to an earlier answer. */
  restart(): void
}

/** Cuts the connection when more than 256 MB arrived since the last `restart`. Works below TLS. */
export function limitBytes(socket: Socket): ByteLimit {
  let from = 0
  const timer = setInterval(() => {
    if (socket.bytesRead - from <= MAX_ANSWER_BYTES) return
    clearInterval(timer)
    socket.destroy(new Error('sent more than 256 MB at once'))
  }, LOOK_MS)
  timer.unref()
  return {
    restart: () => {
      from = socket.bytesRead
    },
  }
}
