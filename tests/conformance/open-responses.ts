import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js'

/**
 * Requirements of Open Responses (openresponses.org, 2026-04-24) for a response, its items and stream events, in our own words. It
 * is stricter than OpenAI's library, which declares many of these members as optional.
 */
type Schema = Readonly<Record<string, unknown>>

const TEXT: Schema = { type: 'string' }
const WHOLE: Schema = { type: 'integer' }
const NUMBER: Schema = { type: 'number' }
const FLAG: Schema = { type: 'boolean' }
const ANYTHING: Schema = {}
const optional = (schema: Schema): Schema => ({ anyOf: [schema, { type: 'null' }] })
const listOf = (items: Schema): Schema => ({ type: 'array', items })
const one = (...values: readonly string[]): Schema => ({ enum: values })
const object = (properties: Readonly<Record<string, Schema>>): Schema => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
})
const byType = (members: Readonly<Record<string, Schema>>): Schema => ({
  type: 'object',
  required: ['type'],
  discriminator: { propertyName: 'type' },
  oneOf: Object.entries(members).map(([type, { properties, required }]) => ({
    properties: { ...(properties as Schema | undefined), type: { const: type } },
    required: ['type', ...((required as readonly string[] | undefined) ?? [])],
  })),
})

const STATUS = one('in_progress', 'completed', 'incomplete')
const CITATION = object({ type: one('url_citation'), url: TEXT, start_index: WHOLE, end_index: WHOLE, title: TEXT })
const CONTENT = byType({
  input_text: object({ text: TEXT }),
  output_text: object({ text: TEXT, annotations: listOf(CITATION) }),
  summary_text: object({ text: TEXT }),
  reasoning_text: object({ text: TEXT }),
  refusal: object({ refusal: TEXT }),
})
const ITEM = byType({
  message: object({
    id: TEXT,
    status: STATUS,
    role: one('user', 'assistant', 'system', 'developer'),
    content: listOf(CONTENT),
  }),
  function_call: object({ id: TEXT, call_id: TEXT, name: TEXT, arguments: TEXT, status: STATUS }),
  function_call_output: object({ id: TEXT, call_id: TEXT, output: ANYTHING, status: STATUS }),
  reasoning: object({ id: TEXT, summary: listOf(CONTENT) }),
  compaction: object({ id: TEXT, encrypted_content: TEXT }),
})
const USAGE = object({
  input_tokens: WHOLE,
  output_tokens: WHOLE,
  total_tokens: WHOLE,
  input_tokens_details: object({ cached_tokens: WHOLE }),
  output_tokens_details: object({ reasoning_tokens: WHOLE }),
})
const TOOL = byType({
  function: object({
    name: TEXT,
    description: optional(TEXT),
    parameters: optional({ type: 'object' }),
    strict: optional(FLAG),
  }),
})
const FORMAT = byType({
  text: ANYTHING,
  json_object: ANYTHING,
  json_schema: object({ name: TEXT, description: optional(TEXT), schema: ANYTHING, strict: FLAG }),
})

const RESPONSE = object({
  id: TEXT,
  object: one('response'),
  created_at: WHOLE,
  completed_at: optional(WHOLE),
  status: TEXT,
  incomplete_details: optional(object({ reason: TEXT })),
  model: TEXT,
  previous_response_id: optional(TEXT),
  instructions: optional(TEXT),
  output: listOf(ITEM),
  error: optional(object({ code: TEXT, message: TEXT })),
  tools: listOf(TOOL),
  tool_choice: ANYTHING,
  truncation: one('auto', 'disabled'),
  parallel_tool_calls: FLAG,
  text: object({ format: FORMAT }),
  top_p: NUMBER,
  presence_penalty: NUMBER,
  frequency_penalty: NUMBER,
  top_logprobs: WHOLE,
  temperature: NUMBER,
  reasoning: optional(object({ effort: optional(TEXT), summary: optional(TEXT) })),
  user: optional(TEXT),
  usage: optional(USAGE),
  max_output_tokens: optional(WHOLE),
  max_tool_calls: optional(WHOLE),
  store: FLAG,
  background: FLAG,
  service_tier: TEXT,
  metadata: ANYTHING,
  safety_identifier: optional(TEXT),
  prompt_cache_key: optional(TEXT),
})

const AT_ITEM = { item_id: TEXT, output_index: WHOLE }
const AT_CONTENT = { ...AT_ITEM, content_index: WHOLE }
const AT_SUMMARY = { ...AT_ITEM, summary_index: WHOLE }
const EVENTS: Readonly<Record<string, Readonly<Record<string, Schema>>>> = {
  'response.created': { response: RESPONSE },
  'response.queued': { response: RESPONSE },
  'response.in_progress': { response: RESPONSE },
  'response.completed': { response: RESPONSE },
  'response.incomplete': { response: RESPONSE },
  'response.failed': { response: RESPONSE },
  'response.output_item.added': { output_index: WHOLE, item: ITEM },
  'response.output_item.done': { output_index: WHOLE, item: ITEM },
  'response.content_part.added': { ...AT_CONTENT, part: CONTENT },
  'response.content_part.done': { ...AT_CONTENT, part: CONTENT },
  'response.output_text.delta': { ...AT_CONTENT, delta: TEXT },
  'response.output_text.done': { ...AT_CONTENT, text: TEXT },
  'response.output_text.annotation.added': { ...AT_CONTENT, annotation_index: WHOLE, annotation: CITATION },
  'response.refusal.delta': { ...AT_CONTENT, delta: TEXT },
  'response.refusal.done': { ...AT_CONTENT, refusal: TEXT },
  'response.reasoning_summary_part.added': { ...AT_SUMMARY, part: CONTENT },
  'response.reasoning_summary_part.done': { ...AT_SUMMARY, part: CONTENT },
  'response.reasoning_summary_text.delta': { ...AT_SUMMARY, delta: TEXT },
  'response.reasoning_summary_text.done': { ...AT_SUMMARY, text: TEXT },
  'response.function_call_arguments.delta': { ...AT_ITEM, delta: TEXT },
  'response.function_call_arguments.done': { ...AT_ITEM, arguments: TEXT },
}
const EVENT = byType(
  Object.fromEntries(
    Object.entries(EVENTS).map(([type, fields]) => [type, object({ sequence_number: WHOLE, ...fields })]),
  ),
)
const COMPACTION = object({
  id: TEXT,
  object: one('response.compaction'),
  output: listOf(ITEM),
  created_at: WHOLE,
  usage: USAGE,
})

const ajv = new Ajv2020({ strict: false, allErrors: true, discriminator: true })
const VALIDATORS = {
  response: ajv.compile(RESPONSE),
  event: ajv.compile(EVENT),
  compaction: ajv.compile(COMPACTION),
} as const

export function lacks(kind: keyof typeof VALIDATORS, value: unknown): readonly string[] {
  const validate = VALIDATORS[kind]
  if (validate(value)) return []
  return (validate.errors ?? []).filter(({ keyword }) => keyword !== 'anyOf').map(textOf)
}

const textOf = ({ instancePath, message = '' }: ErrorObject) =>
  `${instancePath === '' ? 'it' : instancePath} ${message}`
