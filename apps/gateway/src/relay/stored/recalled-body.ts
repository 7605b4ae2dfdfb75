import { keySet } from '@sluice/dialects/splice/key-set'
import { arrayElements, isScanFault, scanObject, type Span } from '@sluice/dialects/splice/scan'
import { insertText, splice, type Splice } from '@sluice/dialects/splice/splice'
import { PREVIOUS } from '../calls/responses.ts'
import { said } from './cache-answer.ts'

const KEYS = keySet('input', 'previous_response_id')

/**
 * A body for `/v1/responses` with items in place of references, as chunks that have not been copied yet. `items` are JSON by the
 * field of the reference: `previous_response_id`, whose items go in front of the input, `input[3].id`, and
 * `input[3].encrypted_content` for a summary.
 */
export function recalledBody(
  body: Uint8Array,
  items: ReadonlyMap<string, readonly Uint8Array[]>,
): readonly Uint8Array[] {
  const scanned = scanObject(body, KEYS)
  if (isScanFault(scanned)) throw new Error('a body that was read before')
  const { input, previous_response_id: previous } = scanned.values
  const before = items.get(PREVIOUS)
  const list = [...(before ?? []), ...elementsOf(body, input, items)].filter(({ length }) => length > 0)
  const pieces = list.flatMap((bytes, index) => (index === 0 ? [bytes] : [COMMA, bytes]))
  const splices: Splice[] = []
  if (before !== undefined && previous !== undefined) splices.push({ ...previous, bytes: NULL })
  // The body names at least a model, so a comma always follows an inserted member.
  const at = input?.start ?? scanned.object.start + 1
  splices.push(insertText(at, input === undefined ? '"input":[' : '['))
  for (const bytes of pieces) splices.push({ start: at, end: at, bytes })
  splices.push(insertText(at, input === undefined ? '],' : ']'))
  if (input !== undefined) splices.push({ ...input, bytes: NOTHING })
  return splice(body, splices)
}

const COMMA = Buffer.from(',')
const NULL = Buffer.from('null')
const NOTHING = new Uint8Array(0)
const LIST = 0x5b
const TEXT = 0x22

function elementsOf(
  body: Uint8Array,
  input: Span | undefined,
  items: ReadonlyMap<string, readonly Uint8Array[]>,
): readonly Uint8Array[] {
  if (input === undefined) return []
  const own = ({ start, end }: Span) => body.subarray(start, end)
  if (body[input.start] === TEXT) return [said(own(input))]
  if (body[input.start] !== LIST) return []
  return [...arrayElements(body, input)].flatMap(
    (span, index) => items.get(`input[${index}].id`) ?? items.get(`input[${index}].encrypted_content`) ?? [own(span)],
  )
}
