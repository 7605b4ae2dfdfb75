import { pipeline } from 'node:stream/promises'
import type { Dispatcher } from 'undici'
import type { AcceptedOnSocket } from '../../edge/exchange.ts'
import { cutStalledReader } from '../../edge/slow-reader.ts'
import { HOP_BY_HOP, namedByConnection } from './raw-request.ts'

/** Provider headers that are not forwarded: they would speak for this host, or describe the connection behind it. */
const NOT_PASSED: ReadonlySet<string> = new Set([
  ...HOP_BY_HOP,
  'content-length',
  'date',
  'set-cookie',
  'clear-site-data',
  'strict-transport-security',
  'alt-svc',
  'content-security-policy',
  'content-security-policy-report-only',
  'www-authenticate',
  'authentication-info',
  'service-worker-allowed',
  'report-to',
  'reporting-endpoints',
  'nel',
  'refresh',
  'x-request-id',
])
const NOT_PASSED_PREFIX = /^(?:access-control-|x-sluice-|x-oneapi-)/
const LIMITS = /^(?:x|anthropic)-ratelimit-/i

/** A page from another host must not run as one of ours. */
const HARMLESS = ['Content-Security-Policy', "sandbox; default-src 'none'", 'X-Content-Type-Options', 'nosniff']

/** Sends status and headers, but no length: the end of the body is sent when the call is charged. */
export function writeRawHead({ reply, replyHeaders, method }: AcceptedOnSocket, answer: Dispatcher.ResponseData): void {
  const { headers, statusCode } = answer
  const named = namedByConnection(headers)
  const head = [...replyHeaders, ...HARMLESS]
  // A caller with gateway limits sees only those.
  const hasLimits = replyHeaders.some((text) => LIMITS.test(text))
  for (const [name, value] of Object.entries(headers)) {
    if (value === undefined || NOT_PASSED.has(name) || NOT_PASSED_PREFIX.test(name) || named.has(name)) continue
    if (hasLimits && LIMITS.test(name)) continue
    for (const each of [value].flat()) head.push(name, each)
  }
  const { 'content-length': length } = headers
  if (method === 'HEAD' && typeof length === 'string') head.push('Content-Length', length)
  reply.writeHead(statusCode, head)
}

/** Leaves the reply open. Disconnects a client that does not read for `stallMs`; rejects if either side disconnects. */
export async function passBody(
  { reply }: AcceptedOnSocket,
  body: Dispatcher.ResponseData['body'],
  stallMs: number,
): Promise<void> {
  cutStalledReader(reply, stallMs)
  await pipeline(body, reply, { end: false })
}
