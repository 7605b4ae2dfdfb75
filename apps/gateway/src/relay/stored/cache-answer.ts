import { COMPACTION_TRIGGER } from '@sluice/dialects/openai-responses/compaction/compaction-item'
import { keySet } from '@sluice/dialects/splice/key-set'
import { arrayElements, isScanFault, parseScalar, scanObject, type Span } from '@sluice/dialects/splice/scan'
import type { Delivered } from '../stages/delivered.ts'
import { MEMORY_BOUNDS, type CachedItem, type CachedResponse } from './cached-responses.ts'

const TRIGGER = `"${COMPACTION_TRIGGER}"`
const EVENT = keySet('response')
const RESPONSE = keySet('id', 'output')
const ITEM = keySet('id')
const REQUEST = keySet('input')

/** Copies the cacheable parts of a translated answer, if any. A stream's last event repeats the whole response. */
export function cacheable({ body, ...answer }: Pick<Delivered, 'plain' | 'last' | 'body'>): CachedResponse | undefined {
  // A client continues with the summary, not with the conversation that it replaces.
  if (body.includes(TRIGGER)) return undefined
  const answered = answeredResponse(answer)
  return answered && { ...answered, input: inputOf(body) }
}

/** As `cacheable`, but without the request. */
export function answeredResponse({ plain, last }: Pick<Delivered, 'plain' | 'last'>) {
  const span = plain === undefined ? responseInEvent(last) : { start: 0, end: plain.body.length }
  if (span === undefined || span.end - span.start > MEMORY_BOUNDS.entryBytes) return undefined
  return readResponse(copied(plain?.body ?? last, span))
}

function readResponse(response: Uint8Array): Omit<CachedResponse, 'input'> | undefined {
  const scanned = scanObject(response, RESPONSE, { duplicates: 'last' })
  if (isScanFault(scanned)) return undefined
  const id = textAt(response, scanned.values.id)
  const { output } = scanned.values
  if (id === '' || output === undefined || response[output.start] !== LIST) return undefined
  const items: CachedItem[] = []
  for (const span of arrayElements(response, output)) {
    const item = scanObject(response, ITEM, { at: span.start, end: span.end, duplicates: 'last' })
    const itemId = isScanFault(item) ? '' : textAt(response, item.values.id)
    items.push({ id: itemId, bytes: response.subarray(span.start, span.end) })
  }
  return { id, response, output: items }
}

/** The items of a request's input, joined with commas; plain text becomes a user message. Undefined when it is too large. */
function inputOf(body: Uint8Array): Uint8Array | undefined {
  const scanned = scanObject(body, REQUEST)
  const input = isScanFault(scanned) ? undefined : scanned.values.input
  if (input === undefined || input.end - input.start > MEMORY_BOUNDS.entryBytes) return undefined
  return inputItems(body, input)
}

/** Copied input items, joined with commas; undefined for invalid input. */
export function inputItems(body: Uint8Array, input: Span): Uint8Array | undefined {
  switch (body[input.start]) {
    case LIST:
      return copied(body, insideOf(body, input))
    case TEXT:
      return new Uint8Array(said(body.subarray(input.start, input.end)))
    default:
      return undefined
  }
}

/** From the first to the last element. */
function insideOf(body: Uint8Array, list: Span): Span {
  let inside: Span | undefined
  for (const { start, end } of arrayElements(body, list)) inside = { start: inside?.start ?? start, end }
  return inside ?? { start: list.start, end: list.start }
}

/** A user message; `text` is its content as JSON. */
export function said(text: Uint8Array): Uint8Array {
  return Buffer.concat([USER, text, CLOSE])
}

const USER = Buffer.from('{"type":"message","role":"user","content":')
const CLOSE = Buffer.from('}')
const LIST = 0x5b
const TEXT = 0x22
const OBJECT = 0x7b

function responseInEvent(event: Uint8Array): Span | undefined {
  const at = event.indexOf(OBJECT)
  if (at < 0) return undefined
  const scanned = scanObject(event, EVENT, { at, duplicates: 'last' })
  return isScanFault(scanned) ? undefined : scanned.values.response
}

function textAt(bytes: Uint8Array, span: Span | undefined): string {
  const value = span === undefined ? undefined : parseScalar(bytes, span)
  return typeof value === 'string' ? value : ''
}

/** Outside Node's shared buffer pool, which a small piece would keep alive. */
const copied = (bytes: Uint8Array, { start, end }: Span) => new Uint8Array(bytes.subarray(start, end))
