import { converseUpstreamCodec } from '../src/bedrock-converse/codec.ts'
import type { ClientCodec, UpstreamCodec } from '../src/canon/codec.ts'
import { cohereUpstreamCodec } from '../src/cohere/codec.ts'
import { cozeUpstreamCodec } from '../src/coze/codec.ts'
import { deeplUpstreamCodec } from '../src/deepl/codec.ts'
import { libraryUpstreamCodec } from '../src/library-ask/codec.ts'
import { responsesClientCodec, responsesUpstreamCodec } from '../src/openai-responses/codec.ts'
import { replicateUpstreamCodec } from '../src/replicate/codec.ts'
import type { AnswerFeature } from './arbitrary/answers.ts'
import type { RequestFeature } from './arbitrary/requests.ts'
import { responsesOrder } from './order/responses-order.ts'
import type { StreamOrder } from './order/stream-order.ts'

/** Every codec that faces providers. A new dialect is asked to keep the laws by a line here. */
export const UPSTREAM_CODECS: readonly UpstreamCodec[] = [
  responsesUpstreamCodec,
  converseUpstreamCodec,
  cohereUpstreamCodec,
  cozeUpstreamCodec,
  replicateUpstreamCodec,
  deeplUpstreamCodec,
  libraryUpstreamCodec,
]

/** A dialect that clients and providers speak, and what it can say: of what it cannot, nothing must come back. */
export interface SpokenByBoth {
  readonly dialect: string
  readonly client: ClientCodec
  readonly upstream: UpstreamCodec
  readonly order: StreamOrder
  readonly answers: ReadonlySet<AnswerFeature>
  /** All text stands in one place, all calls in another: their order among each other is lost. */
  readonly gathered: boolean
  readonly requests: ReadonlySet<RequestFeature>
}

const ANSWERS: readonly AnswerFeature[] = ['reasoning', 'refusal', 'tools', 'citations']
const REQUESTS: readonly RequestFeature[] = [
  'images',
  'image_urls',
  'files',
  'system',
  'tools',
  'tool_choice',
  'parallel_tools',
  'schema',
  'max_tokens',
  'temperature',
  'top_p',
  'stream',
]

export const CLIENT_DIALECTS: readonly SpokenByBoth[] = [
  {
    dialect: 'openai-responses',
    client: responsesClientCodec,
    upstream: responsesUpstreamCodec,
    order: responsesOrder,
    answers: new Set(ANSWERS),
    gathered: false,
    requests: new Set([
      ...REQUESTS,
      'image_detail',
      'tool_strict',
      'tool_custom',
      'reasoning',
      'refusals',
      'json',
      'effort',
      'off',
      'user',
      'metadata',
      'verbosity',
      'service_tier',
      'allowed_tools',
      'logprobs',
      'system_midway',
      'file_urls',
    ]),
  },
]

/** Those whose streams are event streams. Replicate and DeepL answer whole. */
export const SSE_CODECS = UPSTREAM_CODECS.filter(
  ({ dialect }) => dialect !== 'bedrock-converse' && dialect !== 'replicate' && dialect !== 'deepl',
)
