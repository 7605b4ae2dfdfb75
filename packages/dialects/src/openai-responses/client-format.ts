import { encodeError, type WireError } from '../canon/upstream-error.ts'
import type { ClientFormat } from '../client-format.ts'
import { openEventText } from './event-text.ts'

/** How the gateway speaks to clients of the Responses API. Whole errors are those of all of OpenAI's calls. */
export const responsesFormat: ClientFormat = {
  streamType: 'text/event-stream; charset=utf-8',
  ping: new TextEncoder().encode(': ping\n\n'),
  terminal: new Uint8Array(0),
  encodeError: (error, _, requestId) => encodeError(error, requestId),
  encodeStreamError: encodeErrorEvent,
  openText: openEventText,
}

/**
 * The reference shows the members of an error in the event itself, OpenAI's own servers send them in `error`, and clients read one
 * or the other: so both are written. Clients treat an event whose code is not a text as one that they do not know, and on a websocket
 * Codex waits on after an error without a status.
 */
function encodeErrorEvent(
  { message, type, code, param = null, details }: WireError,
  status: number,
  requestId: string,
): Uint8Array {
  const encoded = { code: code ?? type, message: `${message} (request id: ${requestId})`, param }
  const more = details?.dialect === 'openai-chat' ? { innererror: details.value } : {}
  const event = { type: 'error', status, sequence_number: 0, error: { type, ...encoded, ...more }, ...encoded }
  return new TextEncoder().encode(`event: error\ndata: ${JSON.stringify(event)}\n\n`)
}
