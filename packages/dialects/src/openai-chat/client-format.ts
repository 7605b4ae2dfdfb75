import { openDeltaText } from '../canon/delta-text.ts'
import { doneEvent, encodeError, encodeErrorEvent } from '../canon/upstream-error.ts'
import type { ClientFormat } from '../client-format.ts'

/** For clients of OpenAI's chat, text completions and plain calls. */
export const openAiFormat: ClientFormat = {
  streamType: 'text/event-stream; charset=utf-8',
  // An event-stream comment: clients skip it, and proxies see activity.
  ping: new TextEncoder().encode(': ping\n\n'),
  terminal: doneEvent(),
  encodeError: (error, _, requestId) => encodeError(error, requestId),
  encodeStreamError(error, _, requestId) {
    const [event, done] = [encodeErrorEvent(error, requestId), doneEvent()]
    const bytes = new Uint8Array(event.length + done.length)
    bytes.set(event)
    bytes.set(done, event.length)
    return bytes
  },
  openText: openDeltaText,
}
