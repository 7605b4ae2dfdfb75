import type { WireError } from '../canon/upstream-error.ts'
import type { ClientFormat } from '../client-format.ts'
import { openEventText } from './events/event-text.ts'

export const messagesFormat: ClientFormat = {
  streamType: 'text/event-stream; charset=utf-8',
  ping: encode('event: ping\ndata: {"type":"ping"}\n\n'),
  terminal: encode('event: message_stop\ndata: {"type":"message_stop"}\n\n'),
  encodeError: (error, status, requestId) => encode(errorJson(error, status, requestId)),
  // The event ends the stream: clients raise it.
  encodeStreamError: (error, status, requestId) =>
    encode(`event: error\ndata: ${errorJson(error, status, requestId)}\n\n`),
  openText: openEventText,
}

/** Types by status; docs.anthropic.com, Errors. */
const TYPES: Readonly<Record<number, string>> = {
  401: 'authentication_error',
  402: 'billing_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  503: 'overloaded_error',
  504: 'timeout_error',
  529: 'overloaded_error',
}
const TELLING: ReadonlySet<string> = new Set(Object.values(TYPES))

/** A provider of this dialect sends one of its types, which says more than the status. */
function errorJson({ message, type, code, details }: WireError, status: number, requestId: string): string {
  const error = {
    type: TELLING.has(type) ? type : (TYPES[status] ?? (status < 500 ? 'invalid_request_error' : 'api_error')),
    message: `${message} (request id: ${requestId})`,
    // Not Anthropic's; clients skip it, and people can look it up in the table of errors.
    ...(code === null || code === '' ? {} : { code }),
    ...detailsOf(code, details),
  }
  return JSON.stringify({ type: 'error', error, request_id: requestId })
}

/** Errors of ours that clients of Anthropic act on, and recognize by their details. */
const KNOWN_TO_CLIENTS: ReadonlyMap<WireError['code'], object> = new Map([
  ['thread_not_found', {}],
  ['thread_unsupported_request', { unsupported: ['thread'] }],
])

function detailsOf(code: WireError['code'], details: WireError['details']): { readonly details?: object } {
  const known = KNOWN_TO_CLIENTS.get(code)
  if (known !== undefined) return { details: { error_code: code, ...known } }
  return details?.dialect === 'anthropic-messages' ? { details: details.value } : {}
}

function encode(text: string): Uint8Array {
  return new TextEncoder().encode(text)
}
