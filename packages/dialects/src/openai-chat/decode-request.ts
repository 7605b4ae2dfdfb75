import type { BodyRefusal } from '../body-refusal.ts'
import { validatedChoice } from '../canon/calls/tool-choice.ts'
import { FieldReader, othersThan } from '../canon/field-reader.ts'
import type { AnswerFormat, CanonRequest } from '../canon/request.ts'
import { asObject, type JsonObject } from '../json-value.ts'
import { decodeMessages } from './decode-messages.ts'
import { decodeReasoningWish, WISH_FIELDS } from './decode-reasoning-wish.ts'
import { decodeCap, decodeSampling } from './decode-sampling.ts'
import { decodeToolChoice, decodeTools } from './decode-tools.ts'

/** Members that are read here; all others are kept unchanged. */
const READ: ReadonlySet<string> = new Set([
  'model',
  'messages',
  'stream',
  'stream_options',
  'tools',
  'functions',
  'web_search_options',
  'tool_choice',
  'function_call',
  'parallel_tool_calls',
  'response_format',
  'max_tokens',
  'max_completion_tokens',
  'temperature',
  'top_p',
  'top_k',
  'stop',
  'n',
  'seed',
  'random_seed',
  'presence_penalty',
  'frequency_penalty',
  'logprobs',
  'top_logprobs',
  'logit_bias',
  'verbosity',
  'modalities',
  'user',
  'service_tier',
  'metadata',
  ...WISH_FIELDS,
])

/** Includes the fields of vendors. */
export function decodeRequest(body: JsonObject): CanonRequest | BodyRefusal {
  const read = new FieldReader()
  const { system, turns, others: messageFields } = decodeMessages(read, body['messages'])
  const { tools, builtins, others: toolFields } = decodeTools(read, body)
  const toolChoice = decodeToolChoice(read, body)
  const { wish, rest: wishFields } = decodeReasoningWish(read, body)
  const request: CanonRequest = {
    model: read.needText(body['model'], 'model'),
    stream: read.flag(body['stream'], 'stream') ?? false,
    system,
    turns,
    tools,
    builtins,
    toolChoice,
    parallelTools: read.flag(body['parallel_tool_calls'], 'parallel_tool_calls'),
    format: decodeFormat(read, body['response_format']),
    reasoning: wish,
    maxTokens: decodeCap(read, body),
    sampling: decodeSampling(read, body),
    verbosity: read.text(body['verbosity'], 'verbosity'),
    modalities: decodeModalities(read, body['modalities']),
    user: read.text(body['user'], 'user'),
    serviceTier: read.text(body['service_tier'], 'service_tier'),
    metadata: read.object(body['metadata'], 'metadata'),
    extra: {
      dialect: 'openai-chat',
      ...(body['functions'] === undefined || body['tools'] !== undefined ? {} : { isOlder: true }),
      fields: {
        ...otherFields(body),
        ...messageFields,
        ...toolFields,
        ...wishFields,
        ...validatedChoice(body['tool_choice']),
        ...(toolChoice === undefined && asObject(body['tool_choice']) ? { tool_choice: body['tool_choice'] } : {}),
      },
    },
  }
  return read.refusal ?? request
}

/** Excludes fields with their default value: omitting them is not a loss. */
function otherFields(body: JsonObject): JsonObject {
  const others = Object.entries(othersThan(body, READ))
  return Object.fromEntries(others.filter(([name, value]) => !(name === 'store' && value === false)))
}

function decodeModalities(read: FieldReader, value: unknown): readonly string[] | undefined {
  if (value === undefined || value === null) return undefined
  return read.list(value, 'modalities').map((name, index) => read.needText(name, `modalities[${index}]`))
}

function decodeFormat(read: FieldReader, value: unknown): AnswerFormat | undefined {
  const given = read.object(value, 'response_format')
  if (given === undefined) return undefined
  switch (read.oneOf(given['type'] ?? '', 'response_format.type', ['text', 'json_object', 'json_schema'])) {
    case 'text':
      return { type: 'text' }
    case 'json_object':
      return { type: 'json' }
    case 'json_schema': {
      const path = 'response_format.json_schema'
      const named = read.object(given['json_schema'], path) ?? {}
      const name = read.text(named['name'], `${path}.name`)
      const description = read.text(named['description'], `${path}.description`)
      const strict = read.flag(named['strict'], `${path}.strict`)
      return {
        type: 'schema',
        schema: read.object(named['schema'], `${path}.schema`) ?? {},
        ...(name === undefined ? {} : { name }),
        ...(description === undefined ? {} : { description }),
        ...(strict === undefined ? {} : { strict }),
      }
    }
    default:
      return undefined
  }
}
