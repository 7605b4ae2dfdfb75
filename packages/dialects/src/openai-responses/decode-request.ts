import type { BodyRefusal } from '../body-refusal.ts'
import { validatedChoice } from '../canon/calls/tool-choice.ts'
import { FieldReader, othersThan } from '../canon/field-reader.ts'
import type { TextPart } from '../canon/parts.ts'
import type { AnswerFormat, CanonRequest, ReasoningWish } from '../canon/request.ts'
import { asList, asObject, defined, type JsonObject } from '../json-value.ts'
import { decodeInput, NEEDS_ITS_OWN } from './decode-input.ts'
import { decodeToolChoice, decodeTools } from './decode-tools.ts'

/** Members that are read here; all others are kept unchanged. */
const READ = new Set([
  'model',
  'input',
  'instructions',
  'stream',
  'tools',
  'tool_choice',
  'parallel_tool_calls',
  'text',
  'reasoning',
  'max_output_tokens',
  'temperature',
  'top_p',
  'top_logprobs',
  'user',
  'service_tier',
  'metadata',
  'include',
])

/** Fields that only the provider that stored an earlier response can resolve. */
const STORED_BY_THE_PROVIDER = ['previous_response_id', 'conversation', 'prompt'] as const

/** For translation. Refuses references to objects stored by a provider of this dialect: such requests can only be passed on. */
export function decodeRequest(body: JsonObject): CanonRequest | BodyRefusal {
  const read = new FieldReader()
  for (const name of STORED_BY_THE_PROVIDER) {
    if (body[name] !== undefined && body[name] !== null) read.refuse(name, `cannot be used: ${NEEDS_ITS_OWN}`)
  }
  if (read.flag(body['background'], 'background') === true) {
    read.refuse('background', 'cannot be true: this model’s provider has no background responses')
  }
  const { system, turns } = decodeInput(read, body['input'])
  const { tools, builtins, others } = decodeTools(read, body['tools'], body['input'])
  const toolChoice = decodeToolChoice(read, body['tool_choice'], tools)
  const { format, verbosity, rest: textRest } = decodeText(read, body['text'])
  const { wish, rest: reasoningRest } = decodeReasoningWish(read, body['reasoning'])
  const { logprobs, rest: include } = decodeInclude(read, body['include'])
  const request: CanonRequest = {
    model: read.needText(body['model'], 'model'),
    stream: read.flag(body['stream'], 'stream') ?? false,
    system: [...decodeInstructions(read, body['instructions']), ...system],
    turns,
    tools,
    builtins,
    sampling: {
      temperature: read.number(body['temperature'], 'temperature'),
      topP: read.number(body['top_p'], 'top_p'),
      logprobs,
      topLogprobs: read.whole(body['top_logprobs'], 'top_logprobs'),
    },
    toolChoice,
    parallelTools: read.flag(body['parallel_tool_calls'], 'parallel_tool_calls'),
    format,
    reasoning: wish,
    maxTokens: read.whole(body['max_output_tokens'], 'max_output_tokens'),
    verbosity,
    user: read.text(body['user'], 'user'),
    serviceTier: read.text(body['service_tier'], 'service_tier'),
    metadata: read.object(body['metadata'], 'metadata'),
    extra: {
      dialect: 'openai-responses',
      fields: {
        ...otherFields(body),
        ...otherItemFields(body['input']),
        ...others,
        ...(include.length === 0 ? {} : { include }),
        ...(Object.keys(textRest).length === 0 ? {} : { text: textRest }),
        ...(Object.keys(reasoningRest).length === 0 ? {} : { reasoning: reasoningRest }),
        ...validatedChoice(body['tool_choice']),
        ...(toolChoice === undefined && asObject(body['tool_choice']) ? { tool_choice: body['tool_choice'] } : {}),
      },
    },
  }
  return read.refusal ?? request
}

/** Excludes fields with their default value: omitting them is not a loss. */
function otherFields(body: JsonObject): JsonObject {
  const others = othersThan(body, READ)
  return Object.fromEntries(Object.entries(others).filter(([name, value]) => !isIdle(name, value)))
}

function isIdle(name: string, value: unknown): boolean {
  switch (name) {
    case 'store':
    case 'background':
      return value === false
    case 'truncation':
      return value === 'disabled'
    case 'stream_options':
      return asObject(value)?.['include_obfuscation'] !== true
    default:
      return false
  }
}

function decodeInstructions(read: FieldReader, instructions: unknown): readonly TextPart[] {
  const text = read.text(instructions, 'instructions') ?? ''
  return text === '' ? [] : [{ kind: 'text', text }]
}

const TEXT_MEMBERS = new Set(['format', 'verbosity'])

function decodeText(read: FieldReader, value: unknown) {
  const text = read.object(value, 'text') ?? {}
  return {
    format: decodeFormat(read, text['format']),
    verbosity: read.text(text['verbosity'], 'text.verbosity'),
    rest: othersThan(text, TEXT_MEMBERS),
  }
}

function decodeFormat(read: FieldReader, value: unknown): AnswerFormat | undefined {
  const given = read.object(value, 'text.format')
  if (given === undefined) return undefined
  switch (read.oneOf(given['type'] ?? '', 'text.format.type', ['text', 'json_object', 'json_schema'])) {
    case 'text':
      return { type: 'text' }
    case 'json_object':
      return { type: 'json' }
    case 'json_schema': {
      const schema = read.object(given['schema'], 'text.format.schema')
      if (schema === undefined) return read.refuse('text.format.schema', 'is required')
      const description = read.text(given['description'], 'text.format.description')
      const strict = read.flag(given['strict'], 'text.format.strict')
      return {
        type: 'schema',
        schema,
        name: read.needText(given['name'], 'text.format.name'),
        ...(description === undefined ? {} : { description }),
        ...(strict === undefined ? {} : { strict }),
      }
    }
    default:
      return undefined
  }
}

const EFFORTS = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'] as const
const REASONING_MEMBERS = new Set(['effort', 'summary', 'generate_summary'])

function decodeReasoningWish(read: FieldReader, value: unknown) {
  const given = read.object(value, 'reasoning') ?? {}
  const effort = read.wish(given['effort'], 'reasoning.effort', EFFORTS)
  const summary = read.text(given['summary'] ?? given['generate_summary'], 'reasoning.summary')
  const wish: ReasoningWish = {
    ...(effort === undefined ? {} : effort === 'none' ? { off: true } : { effort }),
    ...(summary === undefined ? {} : { summary }),
  }
  return {
    wish: effort === undefined && summary === undefined ? undefined : wish,
    rest: {
      ...othersThan(given, REASONING_MEMBERS),
      ...(effort === undefined ? defined({ effort: given['effort'] ?? undefined }) : {}),
    },
  }
}

/** Encrypted reasoning is always returned; only OpenAI has everything else that can be requested here. */
function decodeInclude(read: FieldReader, value: unknown) {
  const wanted = read.list(value, 'include').map((name, index) => read.needText(name, `include[${index}]`))
  return {
    logprobs: wanted.includes('message.output_text.logprobs') ? true : undefined,
    rest: wanted.filter((name) => name !== 'reasoning.encrypted_content' && name !== 'message.output_text.logprobs'),
  }
}

/** Items whose members are read one by one; all others are kept whole. */
const READ_ITEMS: ReadonlySet<unknown> = new Set([
  undefined,
  'message',
  'function_call',
  'function_call_output',
  'custom_tool_call',
  'custom_tool_call_output',
  'reasoning',
])

/** Known members of those items, including those that only identify an item. */
const KNOWN: ReadonlySet<string> = new Set([
  'type',
  'id',
  'status',
  'created_by',
  'role',
  'content',
  'call_id',
  'name',
  'namespace',
  'arguments',
  'input',
  'output',
  'summary',
  'encrypted_content',
])

/** Other members of items, by path: `input[].phase`; sources of the model's text are also listed. */
function otherItemFields(input: unknown): JsonObject {
  const items: readonly unknown[] = Array.isArray(input) ? input : []
  const names = items.flatMap((item) => {
    const object = asObject(item)
    if (object === undefined || !READ_ITEMS.has(object['type'])) return []
    const isCited = asList(object['content']).some((part) => asList(asObject(part)?.['annotations']).length > 0)
    return [...Object.keys(othersThan(object, KNOWN)), ...(isCited ? ['content[].annotations'] : [])]
  })
  return Object.fromEntries(names.map((name) => [`input[].${name}`, true]))
}
