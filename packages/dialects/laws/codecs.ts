import { messagesUpstreamCodec } from '../src/anthropic/codec.ts'
import { converseUpstreamCodec } from '../src/bedrock-converse/codec.ts'
import type { UpstreamCodec } from '../src/canon/codec.ts'
import { cohereUpstreamCodec } from '../src/cohere/codec.ts'
import { cozeUpstreamCodec } from '../src/coze/codec.ts'
import { deeplUpstreamCodec } from '../src/deepl/codec.ts'
import { geminiUpstreamCodec } from '../src/gemini/codec.ts'
import { libraryUpstreamCodec } from '../src/library-ask/codec.ts'
import { chatUpstreamCodec, thinkTagsUpstreamCodec } from '../src/openai-chat/codec.ts'
import { responsesUpstreamCodec } from '../src/openai-responses/codec.ts'
import { replicateUpstreamCodec } from '../src/replicate/codec.ts'
import { tencentUpstreamCodec } from '../src/tencent-hunyuan/codec.ts'
import { wenxinUpstreamCodec } from '../src/wenxin/codec.ts'

/** Every codec that faces providers. A new dialect is asked to keep the laws by a line here. */
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

/** Those whose streams are event streams. Replicate and DeepL answer whole. */
export const SSE_CODECS = UPSTREAM_CODECS.filter(
  ({ dialect }) => dialect !== 'bedrock-converse' && dialect !== 'replicate' && dialect !== 'deepl',
)

/** A codec and the folder that its answers are recorded in. */
export interface RecordedCodec {
  readonly name: string
  readonly recordedAs: string
  readonly codec: UpstreamCodec
}

/** All of them, other spellings of a dialect and decoders with options too. */
export const RECORDED_CODECS: readonly RecordedCodec[] = [
  ...UPSTREAM_CODECS.map((codec) => ({ name: codec.dialect, recordedAs: codec.dialect, codec })),
  { name: 'openai-chat with thoughts in tags', recordedAs: 'openai-chat', codec: thinkTagsUpstreamCodec },
  { name: 'tencent-hunyuan', recordedAs: 'tencent-hunyuan', codec: tencentUpstreamCodec },
]
