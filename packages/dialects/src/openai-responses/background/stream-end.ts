import type { JsonObject } from '../../json-value.ts'
import { keySet } from '../../splice/key-set.ts'
import { isScanFault, scanObject, type Span } from '../../splice/scan.ts'
import { insertText, splice, type Splice } from '../../splice/splice.ts'

const EVENT = keySet('type', 'response', 'error')
const RESPONSE = keySet('id', 'background', 'status')

export type StreamEnd =
  | { readonly response: Uint8Array; readonly status: string; readonly providerId: string }
  | { readonly error: JsonObject }

/**
 * The response in the last event of a stream, as the provider wrote it but with this id, or the error in its place. Also works for
 * a body that is not a stream. Undefined if it has neither.
 */
export function readStreamEnd(ending: Uint8Array, id: string): StreamEnd | undefined {
  const event = lastData(ending)
  const scanned = scanObject(event, EVENT, { duplicates: 'last' })
  if (isScanFault(scanned)) return undefined
  const { response, error } = scanned.values
  if (response === undefined) return error && { error: JSON.parse(textOf(event, error)) as JsonObject }
  return renamed(event.slice(response.start, response.end), id)
}

function renamed(response: Uint8Array, id: string): StreamEnd | undefined {
  const scanned = scanObject(response, RESPONSE, { duplicates: 'last' })
  if (isScanFault(scanned)) return undefined
  const { id: own, background, status } = scanned.values
  const splices: Splice[] = []
  if (own !== undefined) splices.push(put(own, JSON.stringify(id)))
  if (background === undefined) splices.push(insertText(scanned.object.start + 1, '"background":true,'))
  else splices.push(put(background, 'true'))
  return {
    response: joined(splice(response, splices)),
    status: status === undefined ? '' : String(JSON.parse(textOf(response, status))),
    providerId: own === undefined ? '' : String(JSON.parse(textOf(response, own))),
  }
}

const LF = 0x0a
const DATA = 'data:'

/** The data of the last event with an object; the whole body if it has no events. */
function lastData(bytes: Uint8Array): Uint8Array {
  for (let end = bytes.length; end > 0;) {
    const start = bytes.lastIndexOf(LF, end - 1) + 1
    const line = bytes.subarray(start, end)
    if (textOf(line, { start: 0, end: Math.min(DATA.length, line.length) }) === DATA && line.includes(OPEN)) {
      return line.subarray(line.indexOf(OPEN))
    }
    end = start - 1
  }
  return bytes
}

const OPEN = 0x7b
const textOf = (bytes: Uint8Array, { start, end }: Span) => new TextDecoder().decode(bytes.subarray(start, end))

function joined(pieces: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const piece of pieces) {
    whole.set(piece, at)
    at += piece.length
  }
  return whole
}

const TEXT = new TextEncoder()
const put = ({ start, end }: Span, text: string): Splice => ({ start, end, bytes: TEXT.encode(text) })
