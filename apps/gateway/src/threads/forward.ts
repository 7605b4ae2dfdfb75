import { Agent, type IncomingMessage, request as sendRequest, type ServerResponse } from 'node:http'
import { pipeline } from 'node:stream'
import type { Callers } from '../edge/client-address.ts'

/**
 * Names of headers in which a relay thread tells the main thread who made a request. The main thread reads them on a socket that only
 * this process can reach, and every request that comes there has been given all of them.
 */
const ADDRESS = 'sluice-caller-address'
const IS_SECURE = 'sluice-caller-is-secure'
const PEER = 'sluice-caller-peer'
const IS_FROM_PROXY = 'sluice-caller-is-from-proxy'

/** Headers that are about one connection only (RFC 9110, section 7.6.1), and one that has been dealt with. */
const OF_CONNECTION: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'te',
  'transfer-encoding',
  'upgrade',
  'expect',
])

/** Callers of requests that relay threads have passed on. */
export const FORWARDED_CALLERS: Callers = {
  addressOf: ({ headers }) => String(headers[ADDRESS] ?? ''),
  isSecure: ({ headers }) => headers[IS_SECURE] === 'true',
  peerOf: ({ headers }) => String(headers[PEER] ?? ''),
  isFromProxy: ({ headers }) => headers[IS_FROM_PROXY] === 'true',
}

/** How long a client may go on sending a body that nobody reads. */
const UNREAD_MS = 500

export interface Forwarding {
  /** Passes a request on to the main thread, and its reply back, both as they arrive. */
  readonly forward: (request: IncomingMessage, reply: ServerResponse) => void
  readonly close: () => void
}

/** `socketPath`: where the main thread listens. */
export function openForwarding(socketPath: string, callers: Callers): Forwarding {
  const agent = new Agent({ keepAlive: true })
  const forward = (request: IncomingMessage, reply: ServerResponse): void => {
    const headers: Record<string, string | string[]> = {}
    for (const [name, value] of Object.entries(request.headers)) {
      if (value !== undefined && !OF_CONNECTION.has(name)) headers[name] = value
    }
    // Without it Node would send the body of a DELETE as it is, and the main thread would read it as a request of its own (class S8).
    if (request.headers['transfer-encoding'] !== undefined) headers['transfer-encoding'] = 'chunked'
    headers[ADDRESS] = callers.addressOf(request)
    headers[IS_SECURE] = String(callers.isSecure(request))
    headers[PEER] = callers.peerOf(request)
    headers[IS_FROM_PROXY] = String(callers.isFromProxy(request))
    const { method = '', url: path = '' } = request
    const sent = sendRequest({ agent, socketPath, method, path, headers }, (answer) => {
      reply.writeHead(answer.statusCode ?? 502, endToEnd(answer.rawHeaders))
      // A side that breaks off ends the other one too.
      pipeline(answer, reply, () => {})
    })
    sent.on('error', () => reply.destroy())
    reply.once('close', () => {
      sent.destroy()
      if (!request.complete) leaveUnread(request)
    })
    request.pipe(sent)
  }
  return { forward, close: () => agent.destroy() }
}

/**
 * What is left of a body that was refused before all of it came. A client whose connection is closed at once may never see why; one
 * that goes on sending is not listened to for long.
 */
function leaveUnread(request: IncomingMessage): void {
  request.unpipe().resume()
  const closing = setTimeout(() => request.socket.destroy(), UNREAD_MS)
  closing.unref()
  request.once('close', () => clearTimeout(closing))
}

/** Names and values in turn. */
function endToEnd(raw: readonly string[]): string[] {
  const kept: string[] = []
  for (let i = 0; i < raw.length; i += 2) {
    const [name = '', value = ''] = raw.slice(i, i + 2)
    if (!OF_CONNECTION.has(name.toLowerCase())) kept.push(name, value)
  }
  return kept
}
