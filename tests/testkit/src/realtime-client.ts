import { type ClientOptions, WebSocket } from 'ws'

/** A client of realtime sessions that remembers what it received. */
export interface RealtimeClient {
  /** Events not yet taken, in order. */
  readonly events: readonly RealtimeEvent[]
  /** Agreed protocol; empty for none. */
  readonly protocol: string
  readonly headers: NodeJS.Dict<string | string[]>
  send(event: object | string | Uint8Array): void
  /** Takes events up to the next one of these types and returns it; fails when the session ends first. */
  take(...types: readonly string[]): Promise<RealtimeEvent>
  readonly ended: Promise<{ readonly code: number; readonly reason: string }>
  close(): Promise<void>
  /** Drops the connection without a closing handshake. */
  cut(): void
  pause(): void
}

export interface RealtimeEvent {
  readonly type: string
  readonly [member: string]: unknown
}

class RefusedHandshake extends Error {
  override readonly name = 'RefusedHandshake'
  readonly status: number
  readonly body: string

  constructor(status: number, body: string) {
    super(`${status} ${body}`)
    this.status = status
    this.body = body
  }
}

export function openRealtimeClient(
  url: string,
  protocols: readonly string[],
  options: ClientOptions,
): Promise<RealtimeClient> {
  const socket = new WebSocket(url.replace(/^http/, 'ws'), [...protocols], options)
  const events: RealtimeEvent[] = []
  let headers: RealtimeClient['headers'] = {}
  let wake: (() => void) | undefined
  let isOver = false
  socket.on('upgrade', (answer) => (headers = answer.headers))
  socket.on('message', (data: Buffer) => {
    events.push(JSON.parse(data.toString()) as RealtimeEvent)
    wake?.()
  })
  const ended = new Promise<{ code: number; reason: string }>((resolve) => {
    socket.on('close', (code, reason) => {
      isOver = true
      resolve({ code, reason: reason.toString() })
      wake?.()
    })
  })
  const take = async (...types: readonly string[]): Promise<RealtimeEvent> => {
    for (;;) {
      const event = events.shift()
      if (event !== undefined && types.includes(event.type)) return event
      if (event !== undefined) continue
      if (isOver) throw new Error(`the session ended before ${types.join(' or ')}`)
      await new Promise<void>((resolve) => (wake = resolve))
    }
  }
  return new Promise((resolve, reject) => {
    socket.on('error', reject)
    socket.on('unexpected-response', (_, answer) => {
      const chunks: Buffer[] = []
      answer.on('data', (chunk: Buffer) => chunks.push(chunk))
      answer.on('end', () => reject(new RefusedHandshake(answer.statusCode ?? 0, Buffer.concat(chunks).toString())))
    })
    socket.on('open', () => {
      resolve({
        events,
        protocol: socket.protocol,
        headers,
        send: (event) => {
          const isRaw = typeof event === 'string' || event instanceof Uint8Array
          socket.send(isRaw ? event : JSON.stringify(event))
        },
        take,
        ended,
        close: async () => {
          socket.close()
          await ended
        },
        cut: () => socket.terminate(),
        pause: () => socket.pause(),
      })
    })
  })
}
