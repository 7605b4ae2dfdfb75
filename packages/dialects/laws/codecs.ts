import { messagesUpstreamCodec } from '../src/anthropic/codec.ts'
import { converseUpstreamCodec } from '../src/bedrock-converse/codec.ts'
import type { UpstreamCodec } from '../src/canon/codec.ts'
import { cohereUpstreamCodec } from '../src/cohere/codec.ts'
import { cozeUpstreamCodec } from '../src/coze/codec.ts'
import { deeplUpstreamCodec } from '../src/deepl/codec.ts'
import { geminiUpstreamCodec } from '../src/gemini/codec.ts'
import { libraryUpstreamCodec } from '../src/library-ask/codec.ts'
import { chatUpstreamCodec } from '../src/openai-chat/codec.ts'
import { responsesUpstreamCodec } from '../src/openai-responses/codec.ts'
import { replicateUpstreamCodec } from '../src/replicate/codec.ts'
import { tencentUpstreamCodec } from '../src/tencent-hunyuan/codec.ts'

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
]

/** Those whose streams are event streams. Replicate and DeepL answer whole. */
export const SSE_CODECS = UPSTREAM_CODECS.filter(
  ({ dialect }) => dialect !== 'bedrock-converse' && dialect !== 'replicate' && dialect !== 'deepl',
)

/** All of them by what they are recorded as: other spellings of a dialect, and decoders with options, have a codec of their own. */
export const RECORDED_CODECS: readonly { readonly name: string; readonly codec: UpstreamCodec }[] = [
  ...UPSTREAM_CODECS.map((codec) => ({ name: codec.dialect, codec })),
  { name: 'tencent-hunyuan', codec: tencentUpstreamCodec },
]
