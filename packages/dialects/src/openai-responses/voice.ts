import type { ClientVoice } from '../client-voice.ts'
import { encodeError, type WireError } from '../openai-chat/errors.ts'
import { openEventText } from './event-text.ts'

/** What clients of the Responses API are told. Whole errors are those of all of OpenAI's calls. */
export const responsesVoice: ClientVoice = {
  streamType: 'text/event-stream; charset=utf-8',
  ping: new TextEncoder().encode(': ping\n\n'),
  terminal: new Uint8Array(0),
  encodeError: (error, _, requestId) => encodeError(error, requestId),
  encodeStreamError: (error, _, requestId) => encodeErrorEvent(error, requestId),
  openText: openEventText,
}

/**
 * The reference shows the members of an error in the event itself, OpenAI's own servers send them in `error`, and clients read
 * the one or the other: so both. They take an event whose code is no text for one that they do not know.
 */
function encodeErrorEvent({ message, type, code, param = null, details }: WireError, requestId: string): Uint8Array {
  const told = { code: String(code ?? type), message: `${message} (request id: ${requestId})`, param }
  const more = details?.dialect === 'openai-chat' ? { innererror: details.value } : {}
  const event = { type: 'error', sequence_number: 0, error: { type, ...told, ...more }, ...told }
  return new TextEncoder().encode(`event: error\ndata: ${JSON.stringify(event)}\n\n`)
}
