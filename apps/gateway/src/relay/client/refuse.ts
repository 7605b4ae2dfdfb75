import { ERRORS, type Refusal, refusalText } from '@sluice/contract/errors'
import type { WireError } from '@sluice/dialects/canon/upstream-error'
import type { Accepted } from '../../edge/exchange.ts'
import { type RefusalBody, writeRefusal } from '../../edge/write-refusal.ts'
import type { StreamedReply } from '../stages/answered.ts'
import type { FailureReply, VendorError } from '../stages/failure-reply.ts'
import { formatFor } from './client-formats.ts'

/** The only exit for errors, in the client's own dialect: as an event once a stream has begun and its status is fixed. */
export function refuse(accepted: Accepted, { refusal, vendor }: FailureReply, client?: StreamedReply): void {
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

export function statusOf({ refusal, vendor }: FailureReply): number {
  return vendor === undefined ? ERRORS[refusal.code].status : vendor.status
}

export function wireOfRefusal(refusal: Refusal): WireError {
  return {
    message: refusalText(refusal),
    type: ERRORS[refusal.code].type,
    code: refusal.code,
    param: refusal.field ?? null,
  }
}

export function bodyFor(caller: Pick<Accepted, 'path' | 'headers'>): RefusalBody {
  const format = formatFor(caller)
  return (refusal, requestId) => format.encodeError(wireOfRefusal(refusal), ERRORS[refusal.code].status, requestId)
}

function writeVendorError(accepted: Accepted, { status, error, retryAfter }: VendorError): void {
  const { reply, id, replyHeaders } = accepted
  const body = formatFor(accepted).encodeError(error, status, id)
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
