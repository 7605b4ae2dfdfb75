import { asObject, parseJson } from '../../json-value.ts'
import { keySet } from '../../splice/key-set.ts'
import { isScanFault, parseScalar, scanObject, type Span } from '../../splice/scan.ts'

/** A frame of a provider that creates responses on a websocket. `event` is the same as an event of a stream. */
export type ServerFrame =
  | { readonly kind: 'event'; readonly event: Uint8Array }
  /** The last frame of a response. `id` is empty if the response cannot be continued. */
  | { readonly kind: 'last'; readonly event: Uint8Array; readonly id: string }
  | ErrorFrame
  | { readonly kind: 'fault' }

/** An error outside a response's own events. */
export interface ErrorFrame {
  readonly kind: 'error'
  readonly event: Uint8Array
  readonly code: string
  /** HTTP status; 0 if the frame names none. */
  readonly status: number
  /** Header names are in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** The body of the equivalent answer to a POST. */
  readonly body: string
}

const ENDED = new Set(['response.completed', 'response.incomplete', 'response.failed', 'response.cancelled'])
/** The only ending after which every provider can continue a response. */
const COMPLETED = 'response.completed'

export function readServerFrame(frame: Uint8Array): ServerFrame {
  const type = typeOf(frame)
  if (type === undefined) return { kind: 'fault' }
  const event = eventOf(type, frame)
  if (type === 'error') return errorOf(frame, event)
  if (!ENDED.has(type)) return { kind: 'event', event }
  return { kind: 'last', event, id: type === COMPLETED ? idOf(frame) : '' }
}

/** How OpenAI's frames begin. Most carry a few words, and only their type is read. */
const USUAL = new TextEncoder().encode('{"type":"')
const QUOTE = 0x22
const PLAIN = /^[\w.]{1,100}$/
const TYPE = keySet('type')

/** Undefined if the frame is not an object with a type. */
function typeOf(frame: Uint8Array): string | undefined {
  if (USUAL.every((byte, at) => frame[at] === byte)) {
    const end = frame.indexOf(QUOTE, USUAL.length)
    const type = new TextDecoder().decode(frame.subarray(USUAL.length, Math.min(end, USUAL.length + 101)))
    if (PLAIN.test(type)) return type
  }
  const scanned = scanObject(frame, TYPE, { duplicates: 'last' })
  const type = isScanFault(scanned) ? undefined : textAt(frame, scanned.values.type)
  return type === '' ? undefined : type
}

const RESPONSE = keySet('response')
const ID = keySet('id')

function idOf(frame: Uint8Array): string {
  const scanned = scanObject(frame, RESPONSE, { duplicates: 'last' })
  const span = isScanFault(scanned) ? undefined : scanned.values.response
  if (span === undefined) return ''
  const response = scanObject(frame, ID, { at: span.start, end: span.end, duplicates: 'last' })
  return isScanFault(response) ? '' : textAt(frame, response.values.id)
}

function textAt(frame: Uint8Array, span: Span | undefined): string {
  const value = span === undefined ? undefined : parseScalar(frame, span)
  return typeof value === 'string' ? value : ''
}

function errorOf(frame: Uint8Array, event: Uint8Array): ServerFrame {
  const read = asObject(parseJson(new TextDecoder().decode(frame)))
  if (read === undefined) return { kind: 'fault' }
  const { type: _type, sequence_number: _number, error: inner, status, headers, ...outer } = read
  const error = asObject(inner) ?? outer
  const { code } = error
  return {
    kind: 'error',
    event,
    code: typeof code === 'string' ? code : '',
    status: typeof status === 'number' && Number.isInteger(status) && status >= 400 && status <= 599 ? status : 0,
    headers: Object.fromEntries(
      Object.entries(asObject(headers) ?? {}).flatMap(([name, value]) =>
        typeof value === 'string' || typeof value === 'number' ? [[name.toLowerCase(), String(value)]] : [],
      ),
    ),
    body: JSON.stringify({ error }),
  }
}

const LF = 0x0a
const CR = 0x0d
const SPACE = 0x20
const END = new TextEncoder().encode('\n\n')

/** Line breaks in JSON are white space; in an event they would end its data. */
function eventOf(type: string, frame: Uint8Array): Uint8Array {
  const head = new TextEncoder().encode(`${PLAIN.test(type) ? `event: ${type}\n` : ''}data: `)
  const bytes = new Uint8Array(head.length + frame.length + END.length)
  bytes.set(head)
  bytes.set(frame, head.length)
  bytes.set(END, head.length + frame.length)
  if (frame.includes(LF) || frame.includes(CR)) {
    for (let at = head.length; at < head.length + frame.length; at++) {
      if (bytes[at] === LF || bytes[at] === CR) bytes[at] = SPACE
    }
  }
  return bytes
}
