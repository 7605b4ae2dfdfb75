import { endOfString, stringAfter, type TextBuffer } from '../canon/delta-strings.ts'
import { type DeltaText, openDeltaText } from '../canon/delta-text.ts'
import { encodeError, type WireError } from '../canon/upstream-error.ts'
import type { ClientFormat } from '../client-format.ts'
import { follows } from '../framing/event-bytes.ts'

/** For clients of the Responses API. Errors as whole bodies are the same as for all of OpenAI's calls. */
export const responsesFormat: ClientFormat = {
  streamType: 'text/event-stream; charset=utf-8',
  ping: new TextEncoder().encode(': ping\n\n'),
  terminal: new Uint8Array(0),
  encodeError: (error, _, requestId) => encodeError(error, requestId),
  encodeStreamError: encodeErrorEvent,
  openText: openEventText,
}

/**
 * Writes the error's members twice: the reference shows them in the event itself, OpenAI's own servers send them in `error`, and
 * clients read one or the other. Clients treat an event whose code is not text as unknown, and on a websocket Codex keeps waiting
 * after an error without a status.
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

const QUOTE = 0x22
/** The rest of the key after its opening quote. */
const DELTA = new TextEncoder().encode('delta"')

/** Collects the content of `delta`. The last events repeat all of it under other names. */
export function openEventText(): DeltaText {
  return openDeltaText(copyDeltas)
}

/** Quotes inside strings are escaped in JSON, so these bytes can only be a key. */
function copyDeltas(bytes: Uint8Array, end: number, out: TextBuffer): void {
  for (let i = bytes.indexOf(QUOTE); i >= 0 && i < end; i = bytes.indexOf(QUOTE, i + 1)) {
    if (!follows(bytes, i + 1, DELTA)) continue
    const start = stringAfter(bytes, i + 1 + DELTA.length)
    if (start < 0) continue
    const stop = endOfString(bytes, start, end)
    if (stop < 0) return
    out.add(bytes, start, stop)
    i = stop
  }
}
