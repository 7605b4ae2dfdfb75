import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import { type ClientOptions, WebSocket } from 'ws'
import { type AddressGuard, AddressRefused } from './address-guard.ts'
import { CLOSE_TIMEOUT_MS, FrameSocket } from './frame-socket.ts'
import { GatheredBytes } from './gathered-bytes.ts'

export interface SocketRequest {
  /** `https://host` or `http://host`, which is also the origin of the websocket. */
  readonly origin: string
  /** Path and query. */
  readonly path: string
  /** Flat list of names and values. */
  readonly headers: readonly string[]
}

export interface SocketLimits {
  /** Largest message in bytes. */
  readonly maxFrame: number
  /** Time limit from the start to the open websocket, or to the end of any other answer. */
  readonly handshakeTimeoutMs: number
}

/** The reason why no websocket was opened. `status`: the server gave an HTTP answer instead. */
export type SocketFailure =
  | { readonly cause: 'unreachable' | 'forbidden' | 'timeout' | 'cancelled' }
  | { readonly cause: 'status'; readonly status: number; readonly headers: IncomingHttpHeaders; readonly body: Buffer }

/** Bytes read of a refusal. */
const BODY_LIMIT = 65_536

/** Opens a websocket through the address guard, paused. Redirects are not followed, and nothing is compressed. Never rejects. */
export function openGuardedSocket(
  guard: AddressGuard,
  { origin, path, headers }: SocketRequest,
  { maxFrame, handshakeTimeoutMs }: SocketLimits,
  signal: AbortSignal,
): Promise<FrameSocket | SocketFailure> {
  const url = new URL(origin.replace(/^http/, 'ws') + path)
  const literal = url.hostname.replace(/^\[|\]$/g, '')
  // A literal address never reaches `lookup`.
  if (isIP(literal) !== 0 && !guard.allows(literal)) return Promise.resolve({ cause: 'forbidden' })
  if (signal.aborted) return Promise.resolve({ cause: 'cancelled' })
  return new Promise((resolve) => {
    const options = {
      headers: Object.fromEntries(pairs(headers)),
      lookup: guard.lookup,
      maxPayload: maxFrame,
      perMessageDeflate: false,
      followRedirects: false,
      closeTimeout: CLOSE_TIMEOUT_MS,
    }
    const socket = begin(url, options)
    // The channel's settings made a request that cannot open a websocket, such as a query with a fragment or an unsendable header.
    if (socket === undefined) return resolve({ cause: 'unreachable' })
    const cancel = () => socket.terminate()
    let isLate = false
    let isRefused = false
    // The time limit of `ws` restarts with every byte of a head.
    const timer = setTimeout(() => {
      isLate = true
      cancel()
    }, handshakeTimeoutMs)
    const finish = (result: FrameSocket | SocketFailure) => {
      clearTimeout(timer)
      signal.removeEventListener('abort', cancel)
      resolve(result)
    }
    signal.addEventListener('abort', cancel)
    socket.once('open', () => {
      socket.pause()
      finish(new FrameSocket(socket))
    })
    socket.once('unexpected-response', (_, answer: IncomingMessage) => {
      isRefused = true
      void collect(answer).then((body) => {
        finish({ cause: 'status', status: answer.statusCode ?? 0, headers: answer.headers, body })
        socket.terminate()
      })
    })
    socket.on('error', (error) => {
      if (!isRefused) finish(isLate ? { cause: 'timeout' } : failureOf(error, signal))
    })
  })
}

function begin(url: URL, options: ClientOptions): WebSocket | undefined {
  try {
    return new WebSocket(url, options)
  } catch {
    return undefined
  }
}

function failureOf(error: Error, signal: AbortSignal): SocketFailure {
  if (signal.aborted) return { cause: 'cancelled' }
  if (error instanceof AddressRefused) return { cause: 'forbidden' }
  return { cause: 'unreachable' }
}

function* pairs(list: readonly string[]): Generator<[string, string]> {
  for (let i = 0; i + 1 < list.length; i += 2) yield [list[i] ?? '', list[i + 1] ?? '']
}

/** The start of a body, even if the rest breaks off. */
function collect(answer: IncomingMessage): Promise<Buffer> {
  return new Promise((resolve) => {
    const bytes = new GatheredBytes()
    const end = () => resolve(bytes.whole())
    answer.on('data', (chunk: Buffer) => {
      if (bytes.size >= BODY_LIMIT) return
      bytes.add(chunk)
      if (bytes.size >= BODY_LIMIT) end()
    })
    answer.once('end', end).once('close', end).once('error', end)
  })
}
