import type { ClientCodec, UpstreamCodec } from '../canon/codec.ts'
import { withTextForms, withTextOfShapes } from '../canon/foreign-shapes.ts'
import { decodeReply, openChatDecoder, type ChatDecoderOptions } from './decode-answer.ts'
import { decodeRequest } from './decode-request.ts'
import { openChatEncoder } from './encode-answer.ts'
import { encodeReply } from './encode-reply.ts'
import { encodeRequest } from './encode-request.ts'

export const chatClientCodec: ClientCodec = withTextOfShapes({
  dialect: 'openai-chat',
  decodeRequest,
  openEncoder: openChatEncoder,
  encodeReply,
})

export const chatUpstreamCodec: UpstreamCodec = upstreamCodec({ thinkTags: false })

/** For answers that may begin with thoughts in tags; see the quirk `think-tags`. */
export const thinkTagsUpstreamCodec: UpstreamCodec = upstreamCodec({ thinkTags: true })

function upstreamCodec(options: ChatDecoderOptions): UpstreamCodec {
  return withTextForms({
    dialect: 'openai-chat',
    encodeRequest,
    openDecoder: () => openChatDecoder(options),
    decodeReply: (reply) => decodeReply(reply, options),
  })
}
