import { endOfString, stringAfter, type TextBuffer } from '../canon/delta-strings.ts'
import { type DeltaText, openDeltaText } from '../canon/delta-text.ts'
import type { WireError } from '../canon/upstream-error.ts'
import type { ClientFormat } from '../client-format.ts'
import { follows } from '../framing/event-bytes.ts'

export const messagesFormat: ClientFormat = {
  streamType: 'text/event-stream; charset=utf-8',
  ping: encode('event: ping\ndata: {"type":"ping"}\n\n'),
  terminal: encode('event: message_stop\ndata: {"type":"message_stop"}\n\n'),
  encodeError: (error, status, requestId) => encode(errorJson(error, status, requestId)),
  // The event ends the stream: clients throw it as an error.
  encodeStreamError: (error, status, requestId) =>
    encode(`event: error\ndata: ${errorJson(error, status, requestId)}\n\n`),
  openText: openEventText,
}

/** Source: docs.anthropic.com, Errors. */
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

/** A provider's own type is kept: it is more specific than the status. */
function errorJson({ message, type, code, details }: WireError, status: number, requestId: string): string {
  const error = {
    type: TELLING.has(type) ? type : (TYPES[status] ?? (status < 500 ? 'invalid_request_error' : 'api_error')),
    message: `${message} (request id: ${requestId})`,
    // Not in Anthropic's API: clients ignore it, and people can look it up in the table of errors.
    ...(code === null || code === '' ? {} : { code }),
    ...detailsOf(code, details),
  }
  return JSON.stringify({ type: 'error', error, request_id: requestId })
}

/** Our own errors that Anthropic's clients handle; they recognise them by their details. */
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

const QUOTE = 0x22

/** The rest of a key after its opening quote, by the key's first letter. */
const KEYS: Readonly<Partial<Record<number, readonly Uint8Array[]>>> = {
  // t: text and thinking
  0x74: [encode('text"'), encode('thinking"')],
  // p: arguments of a call
  0x70: [encode('partial_json"')],
}

function openEventText(): DeltaText {
  return openDeltaText(copyDeltas)
}

/** Quotes inside strings are escaped in JSON, so these bytes can only be a key. */
function copyDeltas(bytes: Uint8Array, end: number, out: TextBuffer): void {
  for (let i = bytes.indexOf(QUOTE); i >= 0 && i < end; i = bytes.indexOf(QUOTE, i + 1)) {
    const key = KEYS[bytes[i + 1] ?? 0]?.find((word) => follows(bytes, i + 1, word))
    const start = key === undefined ? -1 : stringAfter(bytes, i + 1 + key.length)
    if (start < 0) continue
    const stop = endOfString(bytes, start, end)
    if (stop < 0) return
    out.add(bytes, start, stop)
    i = stop
  }
}
