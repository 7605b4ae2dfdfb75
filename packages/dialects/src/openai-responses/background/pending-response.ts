import type { JsonObject } from '../../json-value.ts'
import { keySet } from '../../splice/key-set.ts'
import { isScanFault, scanObject } from '../../splice/scan.ts'

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
