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

/** A dialect of clients and providers, and the features that must survive a round trip through it. */
export interface ClientDialect {
  readonly dialect: string
  readonly client: ClientCodec
  readonly upstream: UpstreamCodec
  readonly order: StreamOrder
  readonly answers: ReadonlySet<AnswerFeature>
  /** All text is in one member and all calls in another: their order relative to each other is lost. */
  readonly gathered: boolean
  readonly requests: ReadonlySet<RequestFeature>
  /** Used where a setting can only be expressed for some models. */
  readonly takes: ModelTraits
  /** Facets that are expressed by omission. */
  readonly unsaid: ReadonlySet<Facet>
}

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
    // The API has no refusals.
    answers: new Set(['reasoning', 'tools', 'citations']),
    gathered: false,
    // Not `budget`: it is withdrawn, and listed as changed, where a tool is forced or a loop has lost its thoughts.
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
    // The API has no refusals.
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
