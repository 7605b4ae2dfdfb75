import { asObject } from '../json-value.ts'
import { keySet } from '../splice/key-set.ts'
import { arrayElements, isScanFault, parseSpan, scanObject, type Span } from '../splice/scan.ts'
import { type Splice, splice } from '../splice/splice.ts'
import { addedMembers } from '../usage/added-reports.ts'

/** A reply of `/v1/embeddings` to some of a request's inputs. */
export interface PartialReply {
  readonly body: Uint8Array
  /** Number of inputs that it answers. */
  readonly inputs: number
}

const KEYS = keySet('data', 'usage')
const ELEMENT_KEYS = keySet('index')
const COMMA = new TextEncoder().encode(',')

/** One reply with all vectors, renumbered, and the total usage. Vectors are copied: parsing them would delay other requests. */
export function joinedReplies(replies: readonly PartialReply[]): readonly Uint8Array[] | { readonly invalid: string } {
  const scans = replies.map(({ body }) => scanObject(body, KEYS, { duplicates: 'last' }))
  const elements: Uint8Array[] = []
  let usage = {}
  let first = 0
  for (const [at, { body, inputs }] of replies.entries()) {
    const scanned = scans[at]
    const data = scanned === undefined || isScanFault(scanned) ? undefined : scanned.values.data
    if (scanned === undefined || isScanFault(scanned) || data === undefined || body[data.start] !== OPEN_LIST)
      return { invalid: 'it contains no vectors' }
    const spans = [...arrayElements(body, data)]
    if (spans.length !== inputs) return { invalid: `it contains ${spans.length} vectors for ${inputs} inputs` }
    for (const [position, span] of spans.entries()) {
      const element = numbered(body, span, position, first)
      if (element === undefined) return { invalid: 'it contains no vectors' }
      elements.push(COMMA, ...element)
    }
    const { usage: counted } = scanned.values
    usage = addedMembers(usage, (counted && asObject(parseSpan(body, counted))) ?? {})
    first += inputs
  }
  return whole(replies[0]?.body ?? COMMA, scans[0], elements.slice(1), usage)
}

const OPEN_LIST = 0x5b

/** One vector with its index among all inputs. */
function numbered(body: Uint8Array, span: Span, position: number, first: number): readonly Uint8Array[] | undefined {
  const element = body.subarray(span.start, span.end)
  if (first === 0) return [element]
  const scanned = scanObject(element, ELEMENT_KEYS, { duplicates: 'last' })
  if (isScanFault(scanned)) return undefined
  const { index } = scanned.values
  const own = index === undefined ? position : parseSpan(element, index)
  const place = first + (typeof own === 'number' ? own : position)
  const at = index ?? { start: 1, end: 1 }
  return splice(element, [{ ...at, bytes: new TextEncoder().encode(index ? `${place}` : `"index":${place},`) }])
}

function whole(
  body: Uint8Array,
  scanned: ReturnType<typeof scanObject<'data' | 'usage'>> | undefined,
  elements: readonly Uint8Array[],
  usage: object,
): readonly Uint8Array[] | { readonly invalid: string } {
  if (scanned === undefined || isScanFault(scanned) || scanned.values.data === undefined)
    return { invalid: 'it contains no vectors' }
  const { data, usage: counted } = scanned.values
  const list = { start: data.start + 1, end: data.end - 1 }
  const cut: Splice[] = [{ ...list, bytes: PLACE }]
  if (counted !== undefined) cut.push({ ...counted, bytes: new TextEncoder().encode(JSON.stringify(usage)) })
  return splice(body, cut).flatMap((chunk) => (chunk === PLACE ? elements : [chunk]))
}

/** A placeholder until the vectors are inserted. */
const PLACE = new Uint8Array([0x20])
