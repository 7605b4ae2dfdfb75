import { messagesUpstreamCodec } from '../src/anthropic/codec.ts'
import { converseUpstreamCodec } from '../src/bedrock-converse/codec.ts'
import type { UpstreamCodec } from '../src/canon/codec.ts'
import { cohereUpstreamCodec } from '../src/cohere/codec.ts'
import { geminiUpstreamCodec } from '../src/gemini/codec.ts'
import { chatUpstreamCodec, thinkTagsUpstreamCodec } from '../src/openai-chat/codec.ts'
import { responsesUpstreamCodec } from '../src/openai-responses/codec.ts'
import { cozeUpstreamCodec } from '../src/vendors/coze.ts'
import { deeplUpstreamCodec } from '../src/vendors/deepl.ts'
import { libraryUpstreamCodec } from '../src/vendors/library-ask.ts'
import { replicateUpstreamCodec } from '../src/vendors/replicate.ts'
import { tencentUpstreamCodec } from '../src/vendors/tencent-hunyuan.ts'
import { wenxinUpstreamCodec } from '../src/vendors/wenxin.ts'

/** A dialect added here is covered by all laws. */
export const UPSTREAM_CODECS: readonly UpstreamCodec[] = [
  chatUpstreamCodec,
  responsesUpstreamCodec,
  messagesUpstreamCodec,
  geminiUpstreamCodec,
  converseUpstreamCodec,
  cohereUpstreamCodec,
  cozeUpstreamCodec,
  replicateUpstreamCodec,
  deeplUpstreamCodec,
  libraryUpstreamCodec,
  wenxinUpstreamCodec,
]

/** Replicate and DeepL do not stream. */
export const SSE_CODECS = UPSTREAM_CODECS.filter(
  ({ dialect }) => dialect !== 'bedrock-converse' && dialect !== 'replicate' && dialect !== 'deepl',
)

export interface RecordedCodec {
  readonly name: string
  readonly recordedAs: string
  readonly codec: UpstreamCodec
}

/** Includes variants of a dialect and decoders with options. */
export const RECORDED_CODECS: readonly RecordedCodec[] = [
  ...UPSTREAM_CODECS.map((codec) => ({ name: codec.dialect, recordedAs: codec.dialect, codec })),
  { name: 'openai-chat with thoughts in tags', recordedAs: 'openai-chat', codec: thinkTagsUpstreamCodec },
  { name: 'tencent-hunyuan', recordedAs: 'tencent-hunyuan', codec: tencentUpstreamCodec },
]
