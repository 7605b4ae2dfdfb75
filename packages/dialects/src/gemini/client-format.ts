import type { WireError } from '../canon/upstream-error.ts'
import type { ClientFormat } from '../client-format.ts'
import { openPartText } from './part-text.ts'
import type { GeminiFraming } from './stream/stream-framing.ts'

/** `google.rpc.Code` by HTTP status. */
const STATUSES: Readonly<Record<number, string>> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  405: 'INVALID_ARGUMENT',
  409: 'ABORTED',
  413: 'INVALID_ARGUMENT',
  415: 'INVALID_ARGUMENT',
  422: 'INVALID_ARGUMENT',
  429: 'RESOURCE_EXHAUSTED',
  499: 'CANCELLED',
  501: 'UNIMPLEMENTED',
  503: 'UNAVAILABLE',
  504: 'DEADLINE_EXCEEDED',
}

/** For clients of Gemini's API with `?alt=sse`. */
export const geminiFormat: ClientFormat = {
  streamType: 'text/event-stream; charset=utf-8',
  // Google's older SDKs fail on comments, and skip white space.
  ping: new TextEncoder().encode('\n'),
  terminal: new Uint8Array(0),
  encodeError: (error, status, requestId) => encode(errorJson(error, status, requestId)),
  encodeStreamError: (error, status, requestId) => encode(`data: ${errorJson(error, status, requestId)}\n\n`),
  openText: openPartText,
}

/** Without `?alt=sse`: a JSON list that begins only with an answer, so pings cannot precede it, and errors follow an element. */
const arrayFormat: ClientFormat = {
  ...geminiFormat,
  streamType: 'application/json; charset=utf-8',
  ping: new Uint8Array(0),
  terminal: encode(']'),
  encodeStreamError: (error, status, requestId) => encode(`,\r\n${errorJson(error, status, requestId)}]`),
}

export function geminiFormatFor(framing: GeminiFraming): ClientFormat {
  return framing === 'sse' ? geminiFormat : arrayFormat
}

/** The catalogue's code is sent as the reason, which Google's clients look for. */
function errorJson({ message, code, param, details: given }: WireError, status: number, requestId: string): string {
  const reason = { '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: code, domain: 'sluice' }
  const field = {
    '@type': 'type.googleapis.com/google.rpc.BadRequest',
    fieldViolations: [{ field: param, description: message }],
  }
  const theirs = given?.dialect === 'gemini' ? given.value : []
  const has = (member: string) => theirs.some((detail) => member in detail)
  const details = [
    ...theirs,
    ...(code === null || code === '' || has('reason') ? [] : [reason]),
    ...(param && !has('fieldViolations') ? [field] : []),
  ]
  const error = {
    code: status,
    message: `${message} (request id: ${requestId})`,
    status: STATUSES[status] ?? (status < 500 ? 'FAILED_PRECONDITION' : 'INTERNAL'),
    ...(details.length === 0 ? {} : { details }),
  }
  return JSON.stringify({ error })
}

function encode(text: string): Uint8Array {
  return new TextEncoder().encode(text)
}
