import { ERRORS, type Refusal, refusalText } from '@sluice/contract/errors'
import { refusalInChinese, wantsChinese } from '@sluice/contract/refusal-in-chinese'
import type { Envelope } from '@sluice/contract/route'
import { CONTENT_CODINGS } from './content-coding.ts'
import type { Reply } from './exchange.ts'

/** A refused upload is discarded until its client is silent for `SILENCE_MS`, at most `LINGER_MS`, so that it reads the reply. */
const SILENCE_MS = 1_000
const LINGER_MS = 5_000

export type RefusalBody = (refusal: Refusal, requestId: string) => Uint8Array

/** OpenAI's error body, which the whole family understands. Includes the request id: users often report only the message. */
export function refusalBody(refusal: Refusal, requestId: string): Uint8Array {
  const entry = ERRORS[refusal.code]
  const message = `${refusalText(refusal)} (request id: ${requestId})`
  const error = { message, type: entry.type, param: refusal.field ?? null, code: refusal.code }
  return Buffer.from(JSON.stringify({ error }))
}

/** A refusal in the envelope of the management API, in the caller's language. */
export function envelopeBody(acceptLanguage: string | undefined): RefusalBody {
  return (refusal) => {
    const message = wantsChinese(acceptLanguage) ? refusalInChinese(refusal) : refusalText(refusal)
    const envelope: Envelope<unknown> = { success: false, message, code: refusal.code }
    return Buffer.from(JSON.stringify(envelope))
  }
}

/**
 * Sends a refusal as the whole reply. Does nothing if the head is already sent or the client has left. `headers` is a flat list of
 * names and values, in addition to those of `setHeader`. `encode` writes the body for callers of other dialects.
 */
export function writeRefusal(
  reply: Reply,
  refusal: Refusal,
  requestId: string,
  headers: readonly string[] = [],
  encode: RefusalBody = refusalBody,
): void {
  if (reply.headersSent || reply.destroyed) return
  const body = encode(refusal, requestId)
  const head = ['Content-Type', 'application/json; charset=utf-8', 'Content-Length', String(body.length), ...headers]
  if (refusal.retryAfter !== undefined) head.push('Retry-After', String(refusal.retryAfter))
  // Clients of OpenAI and Anthropic retry after 408, 409, 429 and every 5xx unless a header says otherwise.
  if (ERRORS[refusal.code].retry !== 'later') head.push('X-Should-Retry', 'false')
  // RFC 9110, 15.5.16.
  if (refusal.code === 'unsupported_encoding') head.push('Accept-Encoding', CONTENT_CODINGS)
  // RFC 9110, 15.5.22: the reply must name the protocol, and 7.8 makes that a field of this connection.
  if (refusal.code === 'upgrade_required') head.push('Upgrade', 'websocket', 'Connection', 'Upgrade')
  if (reply.req.complete) {
    reply.writeHead(ERRORS[refusal.code].status, head).end(body)
  } else {
    head.push('Connection', 'close')
    reply.writeHead(ERRORS[refusal.code].status, head).write(body)
    endAfterUpload(reply)
  }
}

/** Closing while the client still sends resets the connection and can lose the reply, so the upload is discarded for a moment. */
function endAfterUpload(reply: Reply): void {
  const end = () => {
    clearTimeout(silence)
    clearTimeout(patience)
    reply.end()
  }
  const silence = setTimeout(end, SILENCE_MS)
  const patience = setTimeout(end, LINGER_MS)
  reply.req
    .on('data', () => silence.refresh())
    .once('end', end)
    .once('close', end)
    .resume()
}
