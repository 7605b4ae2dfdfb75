import type { ServerResponse } from 'node:http'
import { ERRORS, type Refusal, refusalText } from '@sluice/contract/errors'

/**
 * How long an unread request body is discarded after its refusal, so that the client gets to read the reply: until it is silent for
 * `SILENCE_MS`, and no longer than `LINGER_MS`.
 */
const SILENCE_MS = 1_000
const LINGER_MS = 5_000

/** Writes the body of a refusal. */
export type RefusalBody = (refusal: Refusal, requestId: string) => Uint8Array

/**
 * Error body in OpenAI's shape, the one every client of the family reads. The request id stands in the text, so a user
 * who reports only the message can still be helped.
 */
export function refusalBody(refusal: Refusal, requestId: string): Uint8Array {
  const entry = ERRORS[refusal.code]
  const message = `${refusalText(refusal)} (request id: ${requestId})`
  const error = { message, type: entry.type, param: refusal.field ?? null, code: refusal.code }
  return Buffer.from(JSON.stringify({ error }))
}

/**
 * Sends a refusal as the whole reply. Does nothing when the head is already out or the client has left.
 * `headers` is a flat list of names and values, sent beside what `setHeader` has prepared. `encode` writes the body for callers
 * of other dialects.
 */
export function writeRefusal(
  reply: ServerResponse,
  refusal: Refusal,
  requestId: string,
  headers: readonly string[] = [],
  encode: RefusalBody = refusalBody,
): void {
  if (reply.headersSent || reply.destroyed) return
  const body = encode(refusal, requestId)
  const head = ['Content-Type', 'application/json; charset=utf-8', 'Content-Length', String(body.length), ...headers]
  if (refusal.retryAfter !== undefined) head.push('Retry-After', String(refusal.retryAfter))
  // Clients of OpenAI and Anthropic ask again after 408, 409, 429 and every 5xx unless they are told.
  if (ERRORS[refusal.code].retry !== 'later') head.push('X-Should-Retry', 'false')
  if (reply.req.complete) {
    reply.writeHead(ERRORS[refusal.code].status, head).end(body)
  } else {
    head.push('Connection', 'close')
    reply.writeHead(ERRORS[refusal.code].status, head).write(body)
    endAfterUpload(reply)
  }
}

/**
 * Closing a connection while the client still sends resets it, and the client may never see the reply. So the rest of
 * the upload is thrown away for a moment first.
 */
function endAfterUpload(reply: ServerResponse): void {
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
