import type { TextPart } from '../canon/parts.ts'
import type { CanonRequest } from '../canon/request.ts'
import { asObject, type JsonObject, parseJson } from '../json-value.ts'
import { arrayElements, type Span } from '../splice/scan.ts'
import { cutMember, insertText, type Splice } from '../splice/splice.ts'

/**
 * Claude Code starts its instructions with a line for Anthropic's billing, `x-anthropic-billing-header: …; cch=36ee5;`, which
 * differs in each request. Anthropic removes it; at any other provider it would prevent every cache hit. It is therefore sent only
 * to Anthropic. It is not part of the prompt, so omitting it is not a loss.
 */
const LINE = /^x-anthropic-billing-header:[^\n]*\n?/
const NAME = 'x-anthropic-billing-header:'
/** The line starts within this many bytes, because the block around it has few members. */
const HEAD = 256

/** For providers other than Anthropic. */
export function withoutBillingLine(request: CanonRequest): CanonRequest {
  const [first, ...rest] = request.system
  if (first === undefined || request.extra.dialect !== 'anthropic-messages' || !LINE.test(first.text)) return request
  const text = first.text.replace(LINE, '')
  const left: readonly TextPart[] = text === '' ? [] : [{ ...first, text }]
  return { ...request, system: [...left, ...rest] }
}

/** As `withoutBillingLine`, for a body that is passed on; `system` is the span of that member. Undefined if the line is absent. */
export function cutBillingLine(body: Uint8Array, system: Span | undefined): Splice | undefined {
  if (system === undefined) return undefined
  const decoder = new TextDecoder()
  const textAt = ({ start, end }: Span) => decoder.decode(body.subarray(start, end))
  if (!textAt({ start: system.start, end: Math.min(system.end, system.start + HEAD) }).includes(NAME)) return undefined
  const isList = body[system.start] === OPEN_ARRAY
  const [first, second] = isList ? [...arrayElements(body, system)] : [system]
  if (first === undefined) return undefined
  const value = parseJson(textAt(first))
  const block = asObject(value)
  const text = typeof value === 'string' ? value : block?.['text']
  if (typeof text !== 'string' || !LINE.test(text)) return undefined
  const rest = text.replace(LINE, '')
  if (rest !== '') return replaced(first, block === undefined ? rest : { ...block, text: rest })
  return second === undefined ? cutMember(body, system) : { start: first.start, end: second.start, bytes: NOTHING }
}

const OPEN_ARRAY = 0x5b
const NOTHING = new Uint8Array()

function replaced({ start, end }: Span, value: string | JsonObject): Splice {
  return { ...insertText(start, JSON.stringify(value)), end }
}
