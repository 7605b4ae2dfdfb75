import type { ClientCodec, UpstreamCodec } from '../canon/codec.ts'
import { withTextForms, withTextOfShapes } from '../canon/foreign-shapes.ts'
import { decodeGeminiReply, openGeminiDecoder } from './decode-answer.ts'
import { decodeGemini } from './decode-request.ts'
import { openGeminiEncoder } from './encode-answer.ts'
import { encodeGeminiReply } from './encode-reply.ts'
import { encodeGemini } from './encode-request.ts'
import type { GeminiFraming } from './stream/stream-framing.ts'

/** For clients of `generateContent` and `streamGenerateContent`, which stream in one of two framings. */
export function geminiClientCodec(framing: GeminiFraming): ClientCodec {
  return withTextOfShapes({
    dialect: 'gemini',
    decodeRequest: decodeGemini,
    openEncoder: (context) => openGeminiEncoder(framing, context),
    encodeReply: encodeGeminiReply,
  })
}

/** For the Gemini API and Google's own models on Vertex AI. */
export const geminiUpstreamCodec: UpstreamCodec = withTextForms({
  dialect: 'gemini',
  encodeRequest: encodeGemini,
  openDecoder: openGeminiDecoder,
  decodeReply: decodeGeminiReply,
})
