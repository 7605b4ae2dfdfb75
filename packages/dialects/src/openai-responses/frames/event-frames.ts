import type { WireError } from '../../canon/upstream-error.ts'
import { eventOf } from '../../framing/event-bytes.ts'
import { keySet } from '../../splice/key-set.ts'
import { isScanFault, scanObject } from '../../splice/scan.ts'
import { cutMember, insertText, splice } from '../../splice/splice.ts'

/** Precedes the JSON of an event. */
const DATA = new TextEncoder().encode('data:')
const LF = 0x0a
const CR = 0x0d
const SPACE = 0x20
const OPEN_OBJECT = 0x7b
const BLANK_LINE = /\r\n\r\n|\n\n|\r\r/

/** The JSON of each of these whole events, one websocket frame each. Events without an object (`[DONE]`) are skipped. */
export function framesOf(events: Uint8Array): readonly Uint8Array[] {
  if (events.includes(CR)) return carefully(events)
  const frames: Uint8Array[] = []
  let data: Uint8Array | undefined
  for (let at = 0; at < events.length;) {
    const found = events.indexOf(LF, at)
    const end = found < 0 ? events.length : found
    if (end === at) {
      if (data !== undefined) add(frames, data)
      data = undefined
    } else if (isData(events, at)) {
      // Data with several lines is rare.
      if (data !== undefined) return carefully(events)
      const from = at + DATA.length
      data = events.subarray(events[from] === SPACE ? from + 1 : from, end)
    }
    at = end + 1
  }
  if (data !== undefined) add(frames, data)
  return frames
}

function isData(bytes: Uint8Array, at: number): boolean {
  for (let i = 0; i < DATA.length; i++) if (bytes[at + i] !== DATA[i]) return false
  return true
}

function carefully(events: Uint8Array): readonly Uint8Array[] {
  const frames: Uint8Array[] = []
  for (const text of new TextDecoder().decode(events).split(BLANK_LINE)) {
    const encoded = new TextEncoder().encode(text)
    const event = eventOf(encoded, false)
    if (event !== undefined) add(frames, new TextEncoder().encode(event.data))
  }
  return frames
}

function add(frames: Uint8Array[], data: Uint8Array): void {
  if (data[0] === OPEN_OBJECT) frames.push(data)
}

/** Adds a stream id to a frame, which is an object with at least one member. */
export function onStream(frame: Uint8Array, streamId: string): Uint8Array {
  const head = new TextEncoder().encode(`{"stream_id":${JSON.stringify(streamId)},`)
  const bytes = new Uint8Array(head.length + frame.length - 1)
  bytes.set(head)
  bytes.set(frame.subarray(1), head.length)
  return bytes
}

/** An error outside a response's own events. Codex ignores an error without a status. `retryAfter` in seconds. */
export function encodeErrorFrame(
  { type, code, message, param = null }: WireError,
  status: number,
  retryAfter?: string,
): Uint8Array {
  const headers = retryAfter === undefined ? undefined : { 'retry-after': retryAfter }
  const event = { type: 'error', status, error: { type, code: code ?? type, message, param }, headers }
  return new TextEncoder().encode(JSON.stringify(event))
}

const TRANSPORT = keySet('stream')

/** The frame for a POST with this body, as chunks. The body was read before, names a model, and has no `type` or `background`. */
export function createFrame(body: Uint8Array): readonly Uint8Array[] {
  const scanned = scanObject(body, TRANSPORT, { duplicates: 'last' })
  if (isScanFault(scanned)) throw new Error('a body that was not read before')
  const { stream } = scanned.values
  const type = insertText(scanned.object.start + 1, '"type":"response.create",')
  // Answers on a websocket are always events.
  return splice(body, stream === undefined ? [type] : [type, cutMember(body, stream)])
}
