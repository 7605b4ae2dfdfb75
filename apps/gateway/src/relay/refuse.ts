import { ERRORS, type Refusal, refusalText } from '@sluice/contract/errors'
import type { WireError } from '@sluice/dialects/openai-chat/errors'
import type { Accepted } from '../edge/exchange.ts'
import { type RefusalBody, writeRefusal } from '../edge/write-refusal.ts'
import type { ClientStream } from './client-stream.ts'
import type { FailureReply, VendorError } from './failure.ts'
import { voiceFor } from './voices.ts'

/**
 * The one exit for errors, in the client's own dialect. Once a stream has begun its status cannot change any more, so the
 * error travels as an event.
 */
export function refuse(accepted: Accepted, { refusal, vendor }: FailureReply, client?: ClientStream): void {
  const { reply, id, replyHeaders } = accepted
  if (reply.headersSent) {
    const [error, status] =
      vendor === undefined
        ? ([wireOfRefusal(refusal), ERRORS[refusal.code].status] as const)
        : ([vendor.error, vendor.status] as const)
    client?.fail(error, status, id)
  } else if (refusal !== undefined) writeRefusal(reply, refusal, id, replyHeaders, bodyFor(accepted))
  else if (!reply.destroyed) writeVendorError(accepted, vendor)
}

/** HTTP status that `refuse` sends. */
export function statusOf({ refusal, vendor }: FailureReply): number {
  return vendor === undefined ? ERRORS[refusal.code].status : vendor.status
}

/** A refusal as an error of OpenAI's shape. */
export function wireOfRefusal(refusal: Refusal): WireError {
  return {
    message: refusalText(refusal),
    type: ERRORS[refusal.code].type,
    code: refusal.code,
    param: refusal.field ?? null,
  }
}

/** Writes refusals as the callers of a path read them. */
export function bodyFor(caller: Pick<Accepted, 'path' | 'headers'>): RefusalBody {
  const voice = voiceFor(caller)
  return (refusal, requestId) => voice.encodeError(wireOfRefusal(refusal), ERRORS[refusal.code].status, requestId)
}

function writeVendorError(accepted: Accepted, { status, error, retryAfter }: VendorError): void {
  const { reply, id, replyHeaders } = accepted
  const body = voiceFor(accepted).encodeError(error, status, id)
  const head = [
    ...replyHeaders,
    'Content-Type',
    'application/json; charset=utf-8',
    'Content-Length',
    String(body.length),
  ]
  if (retryAfter !== undefined) head.push('Retry-After', String(retryAfter))
  reply.writeHead(status, head).end(body)
}
