import { messagesUpstreamCodec } from '@sluice/dialects/anthropic/codec'
import { messagesCountCodec } from '@sluice/dialects/anthropic/counts/count-codec'
import { converseUpstreamCodec } from '@sluice/dialects/bedrock-converse/codec'
import type { UpstreamCodec } from '@sluice/dialects/canon/codec'
import type { ChatDialect } from '@sluice/dialects/canon/parts'
import { cohereUpstreamCodec } from '@sluice/dialects/cohere/codec'
import { geminiUpstreamCodec } from '@sluice/dialects/gemini/codec'
import { chatUpstreamCodec, thinkTagsUpstreamCodec } from '@sluice/dialects/openai-chat/codec'
import { responsesUpstreamCodec } from '@sluice/dialects/openai-responses/codec'
import { cozeUpstreamCodec } from '@sluice/dialects/vendors/coze'
import { deeplUpstreamCodec } from '@sluice/dialects/vendors/deepl'
import { libraryUpstreamCodec } from '@sluice/dialects/vendors/library-ask'
import { replicateUpstreamCodec } from '@sluice/dialects/vendors/replicate'
import { wenxinUpstreamCodec } from '@sluice/dialects/vendors/wenxin'
import type { DialectEndpoint } from './dialect-endpoints.ts'

const CODECS: Readonly<Record<ChatDialect, UpstreamCodec>> = {
  'openai-chat': chatUpstreamCodec,
  'anthropic-messages': messagesUpstreamCodec,
  'openai-responses': responsesUpstreamCodec,
  'bedrock-converse': converseUpstreamCodec,
  gemini: geminiUpstreamCodec,
  cohere: cohereUpstreamCodec,
  coze: cozeUpstreamCodec,
  replicate: replicateUpstreamCodec,
  deepl: deeplUpstreamCodec,
  'library-ask': libraryUpstreamCodec,
  wenxin: wenxinUpstreamCodec,
}

/** The codec of a dialect as one provider speaks it. */
export function codecOf({ dialect, quirks }: Pick<DialectEndpoint, 'dialect' | 'quirks'>): UpstreamCodec {
  return quirks.includes('think-tags') ? thinkTagsUpstreamCodec : CODECS[dialect]
}

/** How clients of other dialects have their prompts counted, and under which path; undefined where the dialect has no such call. */
export function countCodecOf({ dialect }: Pick<DialectEndpoint, 'dialect'>) {
  return dialect === 'anthropic-messages' ? { path: '/v1/messages/count_tokens', codec: messagesCountCodec } : undefined
}
