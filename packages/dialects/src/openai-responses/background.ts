import type { JsonObject } from '../json-value.ts'
import { keySet } from '../splice/key-set.ts'
import { isScanFault, scanObject, type Span } from '../splice/scan.ts'
import { insertText, splice, type Splice } from '../splice/splice.ts'
import type { ResponsesRequest } from './request.ts'

/** The body of the same request for a client that waits: as a stream, so that what was made is known at any moment. */
export function foregroundBody(body: Uint8Array, { spans }: Pick<ResponsesRequest, 'spans'>): readonly Uint8Array[] {
  const { background, stream } = spans
  const splices: Splice[] = []
  if (background !== undefined) splices.push(put(background, 'false'))
  if (stream !== undefined) splices.push(put(stream, 'true'))
  // The body names at least a model, so a comma always follows the inserted member.
  else splices.push(insertText(spans.body.start + 1, '"stream":true,'))
  return splice(body, splices)
}

const TEXT = new TextEncoder()
const put = ({ start, end }: Span, text: string): Splice => ({ start, end, bytes: TEXT.encode(text) })

/** Members of a response that repeat its request. */
const REPEATED = [
  'instructions',
  'max_output_tokens',
  'max_tool_calls',
  'metadata',
  'model',
  'parallel_tool_calls',
  'previous_response_id',
  'reasoning',
  'service_tier',
  'temperature',
  'text',
  'tool_choice',
  'tools',
  'top_logprobs',
  'top_p',
  'truncation',
  'user',
] as const
const KEYS = keySet(...REPEATED)
/** Longer members are not repeated while the answer is made. */
const REPEATED_BYTES = 65_536

const ABSENT: JsonObject = {
  instructions: null,
  max_output_tokens: null,
  metadata: {},
  parallel_tool_calls: true,
  previous_response_id: null,
  temperature: 1,
  text: { format: { type: 'text' } },
  tool_choice: 'auto',
  tools: [],
  top_p: 1,
  truncation: 'disabled',
}

/** The response to a request before there is an answer. `created` in unix seconds. */
export function pendingResponse(body: Uint8Array, id: string, created: number): JsonObject {
  const scanned = scanObject(body, KEYS)
  const values = isScanFault(scanned) ? {} : scanned.values
  const repeated = REPEATED.flatMap((name): [string, unknown][] => {
    const span = values[name]
    if (span === undefined || span.end - span.start > REPEATED_BYTES) return []
    return [[name, JSON.parse(new TextDecoder().decode(body.subarray(span.start, span.end)))]]
  })
  return {
    id,
    object: 'response',
    created_at: created,
    status: 'queued',
    background: true,
    error: null,
    incomplete_details: null,
    output: [],
    store: true,
    usage: null,
    ...ABSENT,
    ...Object.fromEntries(repeated),
  }
}

const EVENT = keySet('type', 'response', 'error')
const RESPONSE = keySet('id', 'background', 'status')

/** What the end of a stream says of its response. */
export type StreamEnd =
  | { readonly response: Uint8Array; readonly status: string; readonly providerId: string }
  | { readonly error: JsonObject }

/**
 * The response in the last event of a stream, as the provider wrote it but under this id; or the error that took its place: also in
 * a body that is no stream. Undefined for neither.
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

/** The data of the last event that has an object; the whole body where there are no events. */
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
