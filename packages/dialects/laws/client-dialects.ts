import { messagesClientCodec, messagesUpstreamCodec } from '../src/anthropic/codec.ts'
import type { ClientCodec, ModelTraits, UpstreamCodec } from '../src/canon/codec.ts'
import { geminiClientCodec, geminiUpstreamCodec } from '../src/gemini/codec.ts'
import { chatClientCodec, chatUpstreamCodec } from '../src/openai-chat/codec.ts'
import { responsesClientCodec, responsesUpstreamCodec } from '../src/openai-responses/codec.ts'
import type { AnswerFeature } from './arbitrary/answers.ts'
import type { RequestFeature } from './arbitrary/request-features.ts'
import type { Facet } from './facets.ts'
import { anthropicOrder } from './order/anthropic-order.ts'
import { chatOrder } from './order/chat-order.ts'
import { geminiOrder } from './order/gemini-order.ts'
import { responsesOrder } from './order/responses-order.ts'
import type { StreamOrder } from './order/stream-order.ts'

/** A dialect that clients and providers speak, and what it can say: all of that must come back as it was. */
export interface ClientDialect {
  readonly dialect: string
  readonly client: ClientCodec
  readonly upstream: UpstreamCodec
  readonly order: StreamOrder
  readonly answers: ReadonlySet<AnswerFeature>
  /** All text is in one member and all calls in another: their order relative to each other is lost. */
  readonly gathered: boolean
  readonly requests: ReadonlySet<RequestFeature>
  /** The requested model, where a setting can only be expressed for some models. */
  readonly takes: ModelTraits
  /** What is said by leaving it out. */
  readonly unsaid: ReadonlySet<Facet>
}

/** What all of them can say. */
const SHARED = [
  'images',
  'files',
  'system',
  'tools',
  'tool_choice',
  'schema',
  'max_tokens',
  'temperature',
  'top_p',
  'stream',
] as const satisfies readonly RequestFeature[]

/** What both of OpenAI's dialects can say. */
const OPENAI = [
  ...SHARED,
  'file_names',
  'image_urls',
  'image_detail',
  'parallel_tools',
  'tool_strict',
  'tool_custom',
  'allowed_tools',
  'refusals',
  'json',
  'effort',
  'off',
  'user',
  'metadata',
  'verbosity',
  'service_tier',
  'system_midway',
] as const satisfies readonly RequestFeature[]

export const CLIENT_DIALECTS: readonly ClientDialect[] = [
  {
    dialect: 'openai-chat',
    client: chatClientCodec,
    upstream: chatUpstreamCodec,
    order: chatOrder,
    answers: new Set(['reasoning', 'refusal', 'tools', 'citations']),
    gathered: true,
    requests: new Set([
      ...OPENAI,
      'audio',
      'names',
      'bare_reasoning',
      'stop',
      'seed',
      'penalties',
      'logit_bias',
      'modalities',
    ]),
    takes: {},
    unsaid: new Set(),
  },
  {
    dialect: 'openai-responses',
    client: responsesClientCodec,
    upstream: responsesUpstreamCodec,
    order: responsesOrder,
    answers: new Set(['reasoning', 'refusal', 'tools', 'citations']),
    gathered: false,
    requests: new Set([...OPENAI, 'file_urls', 'reasoning']),
    takes: {},
    unsaid: new Set(),
  },
  {
    dialect: 'anthropic-messages',
    client: messagesClientCodec,
    upstream: messagesUpstreamCodec,
    order: anthropicOrder,
    // It has no refusals of its own.
    answers: new Set(['reasoning', 'tools', 'citations']),
    gathered: false,
    // A budget is withdrawn where a tool is forced or a loop has lost its thoughts: this is reported, but the setting does not come
    // back as it was.
    requests: new Set([
      ...SHARED,
      'image_urls',
      'file_urls',
      'file_names',
      'cache',
      'parallel_tools',
      'tool_strict',
      'tool_errors',
      'tool_images',
      'reasoning',
      'off',
      'top_k',
      'stop',
      'user',
    ]),
    takes: { thinking: 'budget' },
    // Models with a budget think only when asked to.
    unsaid: new Set(['off']),
  },
  {
    dialect: 'gemini',
    client: geminiClientCodec('sse'),
    upstream: geminiUpstreamCodec,
    order: geminiOrder,
    // It has no refusals of its own.
    answers: new Set(['reasoning', 'tools', 'citations']),
    gathered: false,
    requests: new Set([
      ...SHARED,
      'image_urls',
      'audio',
      'video',
      'reasoning',
      'json',
      'budget',
      'allowed_tools',
      'top_k',
      'stop',
      'seed',
      'penalties',
      'modalities',
    ]),
    takes: { thinking: 'budget' },
    unsaid: new Set(),
  },
]
