import type { Refusal } from '@sluice/contract/errors'
import { invalidField, isBodyRefusal } from '@sluice/dialects/body-refusal'
import { isRefused, readFlag, RequestFields } from '@sluice/dialects/request-fields'
import { keySet } from '@sluice/dialects/splice/key-set'
import type { Span } from '@sluice/dialects/splice/scan'
import { insertText, splice, type Splice } from '@sluice/dialects/splice/splice'
import { inputItems } from '../stored/cache-answer.ts'

export type ClientFrame =
  | CreateFrame
  /** Codex's progress report, which gets no answer. */
  | { readonly kind: 'report' }
  | { readonly kind: 'fault'; readonly streamId: string | undefined; readonly refusal: Refusal }

export interface CreateFrame {
  readonly kind: 'create'
  readonly streamId: string | undefined
  /** Generates nothing: the frame only provides the input that later ones continue from. */
  readonly isWarmUp: boolean
  readonly previous: string | undefined
  /** Copied input items, separated by commas; undefined if the input is invalid. */
  readonly items: Uint8Array | undefined
  /**
   * The body of the same request as a POST, as chunks: its own items are preceded by the `earlier` ones, each piece with commas
   * between its items, and by those that the response `root` represents.
   */
  body(root: string | undefined, earlier: readonly Uint8Array[]): readonly Uint8Array[]
}

const KEYS = keySet(
  'type',
  'stream_id',
  'generate',
  'stream',
  'background',
  'client_metadata',
  'previous_response_id',
  'input',
)
/** Members of a frame that are not part of the request in it. */
const ENVELOPE = ['type', 'stream_id', 'generate', 'stream', 'background', 'client_metadata'] as const
/** Longest name of a stream, and longest id of a response that is looked up. */
const STREAM_ID_LIMIT = 128
const ID_LIMIT = 256

type Key = (typeof ENVELOPE)[number] | 'previous_response_id' | 'input'

export function readClientFrame(frame: Buffer): ClientFrame {
  const fields = RequestFields.read(frame, KEYS)
  if (isBodyRefusal(fields)) return { kind: 'fault', streamId: undefined, refusal: fields }
  const named = fields.value('stream_id')
  const streamId = typeof named === 'string' ? named : undefined
  const fault = (refusal: Refusal): ClientFrame => ({ kind: 'fault', streamId, refusal })
  const type = fields.value('type')
  if (type === 'response.processed') return { kind: 'report' }
  if (type !== 'response.create') return fault(invalidField('type', 'must be response.create'))
  if (named !== null && (streamId === undefined || streamId === '' || streamId.length > STREAM_ID_LIMIT)) {
    return fault(invalidField('stream_id', `must be a string of 1 to ${STREAM_ID_LIMIT} characters`))
  }
  const background = readFlag('background', fields.value('background'))
  if (isRefused(background)) return fault(background)
  if (background) return fault(invalidField('background', 'is not available on a WebSocket'))
  const generate = fields.value('generate')
  if (generate !== null && typeof generate !== 'boolean') {
    return fault(invalidField('generate', 'must be true or false'))
  }
  const previous = fields.value('previous_response_id')
  if (previous !== null && !isId(previous)) {
    return fault(invalidField('previous_response_id', 'must be the id of a response'))
  }
  const { input } = fields.spans
  const items = input && inputItems(frame, input)
  return {
    kind: 'create',
    streamId,
    isWarmUp: generate === false,
    previous: previous ?? undefined,
    items,
    body: (root, earlier) => splice(frame, bodySplices(frame, fields, { root, earlier, items })),
  }
}

const isId = (value: unknown): value is string =>
  typeof value === 'string' && value.length > 0 && value.length <= ID_LIMIT

interface Recalled {
  readonly root: string | undefined
  readonly earlier: readonly Uint8Array[]
  readonly items: Uint8Array | undefined
}

function bodySplices(
  frame: Buffer,
  { spans, object }: Pick<RequestFields<Key>, 'spans' | 'object'>,
  { root, earlier, items }: Recalled,
): readonly Splice[] {
  const { previous_response_id: previous, input } = spans
  const cuts = [...ENVELOPE.map((key) => spans[key]), root === undefined ? previous : undefined]
  const members = cuts.filter((value) => value !== undefined).map((value) => memberAround(frame, value))
  const splices: Splice[] = members.map(({ start, end }) => ({ start, end, bytes: NOTHING }))
  if (root !== undefined && previous !== undefined) {
    splices.push({ ...previous, bytes: Buffer.from(JSON.stringify(root)) })
  }
  // Invalid input is refused later, where every body is read.
  const isAdded = earlier.length > 0 && input === undefined
  if (earlier.length > 0 && input !== undefined && items !== undefined) {
    splices.push({ ...input, bytes: listOf(items.length === 0 ? earlier : [...earlier, items]) })
  }
  // Removing the last member leaves the comma before it, or nothing.
  const comma = members.some(({ isLast }) => isLast) ? '' : ','
  const end = object.end - 1
  splices.push(insertText(end, `${comma}"stream":true${isAdded ? ',"input":' : ''}`))
  if (isAdded) splices.push({ start: end, end, bytes: listOf(earlier) })
  return splices
}

/** A member with its key and the comma that follows it; the last member has none. */
function memberAround(body: Buffer, { start, end }: Span): Span & { readonly isLast: boolean } {
  // Keys that a scan looks for contain no quotes.
  const key = body.lastIndexOf(QUOTE, body.lastIndexOf(QUOTE, start - 1) - 1)
  let next = end
  while ((body[next] ?? QUOTE) <= SPACE) next += 1
  const isLast = body[next] !== COMMA_BYTE
  return { start: key, end: isLast ? end : next + 1, isLast }
}

function listOf(pieces: readonly Uint8Array[]): Uint8Array {
  const parts = pieces.flatMap((piece, at) => [at === 0 ? OPEN : COMMA, piece])
  return Buffer.concat([...parts, CLOSE])
}

const NOTHING = new Uint8Array(0)
const OPEN = Buffer.from('[')
const CLOSE = Buffer.from(']')
const COMMA = Buffer.from(',')
const COMMA_BYTE = 0x2c
const QUOTE = 0x22
const SPACE = 0x20
