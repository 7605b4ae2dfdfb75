import type { BodyRefusal } from '../body-refusal.ts'
import { FieldReader, othersThan } from '../canon/field-reader.ts'
import type { AnswerFormat, CanonRequest, ReasoningWish } from '../canon/request.ts'
import type { JsonObject } from '../json-value.ts'
import { ContentReader } from './decode-content.ts'
import { decodeToolChoice, decodeTools } from './decode-tools.ts'
import { decodeSystem, decodeTurns } from './decode-turns.ts'

/** Members that are read here; all others are kept unchanged. */
const READ: ReadonlySet<string> = new Set([
  'model',
  'max_tokens',
  'messages',
  'system',
  'stream',
  'tools',
  'tool_choice',
  'thinking',
  'output_config',
  'output_format',
  'temperature',
  'top_p',
  'top_k',
  'stop_sequences',
  'metadata',
  'service_tier',
])

export function decodeRequest(body: JsonObject): CanonRequest | BodyRefusal {
  const read = new FieldReader()
  const content = new ContentReader(read)
  const turns = decodeTurns(read, content, body['messages'])
  const { tools, builtins, others } = decodeTools(read, content, body['tools'])
  const { toolChoice, parallelTools } = decodeToolChoice(read, body['tool_choice'])
  const output = read.object(body['output_config'], 'output_config') ?? {}
  const thinking = read.object(body['thinking'], 'thinking')
  const effort = read.wish(output['effort'], 'output_config.effort', EFFORTS)
  const outputRest = othersThan(output, effort === undefined ? new Set(['format']) : OUTPUT_MEMBERS)
  const metadata = read.object(body['metadata'], 'metadata') ?? {}
  const metadataRest = othersThan(metadata, new Set(['user_id']))
  const stop = read.list(body['stop_sequences'], 'stop_sequences')
  const request: CanonRequest = {
    model: read.needText(body['model'], 'model'),
    stream: read.flag(body['stream'], 'stream') ?? false,
    system: decodeSystem(read, content, body['system']),
    turns,
    tools,
    builtins,
    toolChoice,
    parallelTools,
    // The format's older position, which a beta header still enables.
    format: decodeFormat(
      read,
      output['format'] ?? body['output_format'],
      output['format'] ? 'output_config.format' : 'output_format',
    ),
    reasoning: decodeReasoningWish(read, thinking, effort),
    maxTokens: read.whole(body['max_tokens'], 'max_tokens'),
    sampling: {
      temperature: read.number(body['temperature'], 'temperature'),
      topP: read.number(body['top_p'], 'top_p'),
      topK: read.whole(body['top_k'], 'top_k'),
      stop: stop.length === 0 ? undefined : stop.map((text, i) => read.needText(text, `stop_sequences[${i}]`)),
    },
    user: read.text(metadata['user_id'], 'metadata.user_id'),
    serviceTier: decodeTier(read.text(body['service_tier'], 'service_tier')),
    extra: {
      dialect: 'anthropic-messages',
      fields: {
        ...othersThan(body, READ),
        ...others,
        ...Object.fromEntries([...content.others].map((name) => [name, true])),
        ...(Object.keys(outputRest).length === 0 ? {} : { output_config: outputRest }),
        ...(Object.keys(metadataRest).length === 0 ? {} : { metadata: metadataRest }),
      },
    },
  }
  return read.refusal ?? request
}

const OUTPUT_MEMBERS: ReadonlySet<string> = new Set(['effort', 'format'])
const EFFORTS = ['low', 'medium', 'high', 'xhigh', 'max'] as const

/** `thinking` says whether and how to think, `output_config.effort` how much; both may be given. */
function decodeReasoningWish(
  read: FieldReader,
  thinking: JsonObject | undefined,
  effort: (typeof EFFORTS)[number] | undefined,
): ReasoningWish | undefined {
  if (thinking === undefined && effort === undefined) return undefined
  const display = read.text(thinking?.['display'], 'thinking.display')
  return {
    ...(thinking === undefined ? {} : decodeThinking(read, thinking)),
    ...(effort === undefined ? {} : { effort }),
    ...(display === undefined ? {} : { summary: display }),
  }
}

function decodeThinking(read: FieldReader, thinking: JsonObject): ReasoningWish {
  switch (read.oneOf(thinking['type'] ?? '', 'thinking.type', ['enabled', 'adaptive', 'disabled'])) {
    case 'adaptive':
      return { adaptive: true }
    case 'disabled':
      return { off: true }
    case 'enabled': {
      const budget = read.whole(thinking['budget_tokens'], 'thinking.budget_tokens')
      if (budget === undefined) read.refuse('thinking.budget_tokens', 'is required')
      return { budget }
    }
    default:
      return {}
  }
}

function decodeFormat(read: FieldReader, value: unknown, field: string): AnswerFormat | undefined {
  const format = read.object(value, field)
  if (format === undefined) return undefined
  read.oneOf(format['type'] ?? '', `${field}.type`, ['json_schema'])
  const schema = read.object(format['schema'], `${field}.schema`)
  return schema === undefined ? read.refuse(`${field}.schema`, 'is required') : { type: 'schema', schema }
}

/** Anthropic's two tiers are OpenAI's `auto` and `default`. */
function decodeTier(tier: string | undefined): string | undefined {
  return tier === 'standard_only' ? 'default' : tier
}
