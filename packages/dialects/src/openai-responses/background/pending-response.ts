import { asList, asObject, type JsonObject } from '../../json-value.ts'
import { keySet } from '../../splice/key-set.ts'
import { isScanFault, scanObject, type Span } from '../../splice/scan.ts'
import { insertText, splice, type Splice } from '../../splice/splice.ts'
import type { ResponsesRequest } from '../request.ts'

/** Members of a response that repeat its request. */
const REPEATED = [
  'frequency_penalty',
  'instructions',
  'max_output_tokens',
  'max_tool_calls',
  'metadata',
  'model',
  'parallel_tool_calls',
  'presence_penalty',
  'previous_response_id',
  'prompt_cache_key',
  'reasoning',
  'safety_identifier',
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
/** Longer members are not repeated while the answer is being generated. */
const REPEATED_BYTES = 65_536

const ABSENT: JsonObject = {
  frequency_penalty: 0,
  instructions: null,
  max_output_tokens: null,
  max_tool_calls: null,
  metadata: {},
  parallel_tool_calls: true,
  presence_penalty: 0,
  previous_response_id: null,
  prompt_cache_key: null,
  reasoning: { effort: null, summary: null },
  safety_identifier: null,
  service_tier: 'default',
  temperature: 1,
  text: { format: { type: 'text' } },
  tool_choice: 'auto',
  tools: [],
  top_logprobs: 0,
  top_p: 1,
  truncation: 'disabled',
  user: null,
}

/** The response before an answer exists. `created` in unix seconds. */
export function pendingResponse(body: Uint8Array, id: string, created: number): JsonObject {
  return {
    id,
    object: 'response',
    access_programs: null,
    created_at: created,
    completed_at: null,
    status: 'queued',
    background: true,
    error: null,
    incomplete_details: null,
    output: [],
    store: true,
    usage: null,
    ...ABSENT,
    ...repeatedMembers(body),
  }
}

/** Null members count as absent. */
function repeatedMembers(body: Uint8Array): JsonObject {
  const scanned = scanObject(body, KEYS)
  const values = isScanFault(scanned) ? {} : scanned.values
  const repeated = REPEATED.flatMap((name): [string, unknown][] => {
    const span = values[name]
    if (span === undefined || span.end - span.start > REPEATED_BYTES) return []
    const value: unknown = JSON.parse(new TextDecoder().decode(body.subarray(span.start, span.end)))
    return value === null ? [] : [[name, whole(name, value)]]
  })
  return Object.fromEntries(repeated)
}

/** Adds the members that every response has but a request may omit. */
function whole(name: (typeof REPEATED)[number], value: unknown): unknown {
  switch (name) {
    case 'reasoning':
    case 'text':
      return { ...asObject(ABSENT[name]), ...asObject(value) }
    case 'tools':
      return asList(value).map((tool) => {
        const given = asObject(tool)
        return given?.['type'] === 'function' ? { description: null, strict: null, ...given } : tool
      })
    default:
      return value
  }
}

/** The body of the same request for a waiting client: as a stream, so that progress is known at any moment. */
export function foregroundBody(body: Uint8Array, { spans }: Pick<ResponsesRequest, 'spans'>): readonly Uint8Array[] {
  const { background, stream } = spans
  const splices: Splice[] = []
  if (background !== undefined) splices.push(put(background, 'false'))
  if (stream !== undefined) splices.push(put(stream, 'true'))
  // The body contains at least a model, so the inserted member always needs a comma.
  else splices.push(insertText(spans.body.start + 1, '"stream":true,'))
  return splice(body, splices)
}

const TEXT = new TextEncoder()
const put = ({ start, end }: Span, text: string): Splice => ({
  start,
  end,
  bytes: TEXT.encode(text),
})
