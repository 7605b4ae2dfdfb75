import type { Dispatcher } from 'undici'
import { type AddressGuard, AddressRefused } from './address-guard.ts'
import { GatheredBytes } from './gathered-bytes.ts'
import { openGuardedAgent } from './guarded-agent.ts'
import {
  type FetchGuarded,
  type Outcome,
  GUARDED_LIMITS,
  type FetchFault,
  type FetchFaultKind,
  type GuardedReply,
  type GuardedRequest,
} from './guarded-fetch.ts'

/** The client for addresses from settings and forms. */
export interface GuardedClient {
  readonly fetch: FetchGuarded
  close(): Promise<void>
}

/** Connections per origin; further calls wait within their own time limit. */
const CONNECTIONS = 8
const CONNECT_TIMEOUT_MS = 5_000

/** Names are resolved once per connection, `guard` checks every address, and only checked addresses are used. */
export function openGuardedClient(guard: AddressGuard): GuardedClient {
  const { timeoutMs } = GUARDED_LIMITS
  const timeouts = { connectTimeoutMs: CONNECT_TIMEOUT_MS, firstByteTimeoutMs: timeoutMs, idleTimeoutMs: timeoutMs }
  const agent = openGuardedAgent(guard, timeouts, CONNECTIONS)
  return { fetch: (request) => fetchGuarded(agent, request), close: () => agent.destroy() }
}

/** An unfinished call: a redirect must still be followed. */
type Step = Outcome | { readonly ok: 'redirect'; readonly location: URL }

async function fetchGuarded(agent: Dispatcher, request: GuardedRequest): Promise<Outcome> {
  const first = readAddress(request.url)
  if (first === undefined) return faultOf('address')
  const timeout = AbortSignal.timeout(Math.min(request.timeoutMs ?? Infinity, GUARDED_LIMITS.timeoutMs))
  const signal = AbortSignal.any([request.signal, timeout])
  const hops = request.method === 'GET' ? Math.min(request.redirects ?? 0, GUARDED_LIMITS.redirects) : 0
  let address = first
  for (let hop = 0; ; hop++) {
    const step = await ask(agent, request, address, address.origin === first.origin, signal)
    if (step.ok !== 'redirect') {
      const ended = !step.ok && signal.aborted
      return ended ? faultOf(request.signal.aborted ? 'cancelled' : 'timeout') : step
    }
    const downgraded = address.protocol === 'https:' && step.location.protocol !== 'https:'
    if (hop >= hops || downgraded) return faultOf('redirect')
    address = step.location
  }
}

/** An address that may be called, or undefined. The URL parser normalises unusual spellings of IP addresses. */
export function readAddress(text: string, base?: URL): URL | undefined {
  if (!URL.canParse(text, base?.href)) return undefined
  const url = new URL(text, base?.href)
  const isPlain = url.username === '' && url.password === '' && url.hostname !== ''
  return isPlain && /^https?:$/.test(url.protocol) ? url : undefined
}

async function ask(
  agent: Dispatcher,
  request: GuardedRequest,
  address: URL,
  isIntended: boolean,
  signal: AbortSignal,
): Promise<Step> {
  try {
    const response = await agent.request({
      origin: address.origin,
      path: `${address.pathname}${address.search}`,
      method: request.method,
      headers: { ...request.headers, ...(isIntended ? request.secretHeaders : {}), 'accept-encoding': 'identity' },
      body: request.body ?? null,
      signal,
    })
    return await read(response, address, Math.min(request.maxBytes ?? Infinity, GUARDED_LIMITS.maxBytes))
  } catch (error) {
    return faultOf(faultKind(error))
  }
}

/** Rejects, like a stream, when the connection breaks. */
async function read(response: Dispatcher.ResponseData, address: URL, maxBytes: number): Promise<Step> {
  const { statusCode: status, body } = response
  const headers = singleValues(response.headers)
  if (status >= 300 && status < 400 && headers['location'] !== undefined) {
    leave(body)
    const location = readAddress(headers['location'], address)
    return location === undefined ? faultOf('redirect') : { ok: 'redirect', location }
  }
  if ((headers['content-encoding'] ?? 'identity') !== 'identity') {
    leave(body)
    return faultOf('broken')
  }
  const bytes = new GatheredBytes()
  for await (const chunk of body as AsyncIterable<Buffer>) {
    // Leaving the loop destroys the body and its connection.
    if (bytes.size + chunk.length > maxBytes) return faultOf('too_large')
    bytes.add(chunk)
  }
  return { ok: true, status, headers, body: bytes.whole() }
}

/** Drops an unread body with its connection, which is not a failure. */
function leave(body: Dispatcher.ResponseData['body']): void {
  body.on('error', () => {})
  body.destroy()
}

export function singleValues(headers: Dispatcher.ResponseData['headers']): GuardedReply['headers'] {
  const single: Record<string, string> = {}
  for (const [name, value] of Object.entries(headers)) {
    const first = Array.isArray(value) ? value[0] : value
    if (first !== undefined) single[name] = first
  }
  return single
}

export function faultKind(error: unknown): FetchFaultKind {
  if (error instanceof AddressRefused) return 'refused'
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  switch (code) {
    case 'UND_ERR_CONNECT_TIMEOUT':
    case 'UND_ERR_HEADERS_TIMEOUT':
    case 'UND_ERR_BODY_TIMEOUT':
      return 'timeout'
    case 'UND_ERR_INVALID_ARG':
      return 'address'
    case 'UND_ERR_SOCKET':
    case 'ECONNRESET':
    case 'EPIPE':
    case 'UND_ERR_HEADERS_OVERFLOW':
    case 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH':
      return 'broken'
    default:
      return error instanceof Error && error.name === 'HTTPParserError' ? 'broken' : 'unreachable'
  }
}

const REASONS: Readonly<Record<FetchFaultKind, string>> = {
  address: 'it is not an http or https address, or a header cannot be sent',
  refused: 'its address is not allowed',
  unreachable: 'it cannot be reached',
  timeout: 'it did not answer in time',
  redirect: 'it redirects elsewhere',
  too_large: 'its answer is too large',
  broken: 'its answer is not a complete HTTP response',
  cancelled: 'the call was abandoned',
}

export const faultOf = (fault: FetchFaultKind): FetchFault => ({ ok: false, fault, reason: REASONS[fault] })
