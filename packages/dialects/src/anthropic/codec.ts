import type { ClientCodec, UpstreamCodec } from '../canon/codec.ts'
import { withTextForms, withTextOfShapes } from '../canon/foreign-shapes.ts'
import { decodeReply, openDecoder } from './decode-answer.ts'
import { decodeRequest } from './decode-request.ts'
import { openEncoder } from './encode-answer.ts'
import { encodeReply } from './encode-reply.ts'
import { encodeRequest } from './encode-request.ts'

export const messagesClientCodec: ClientCodec = withTextOfShapes({
  dialect: 'anthropic-messages',
  decodeRequest,
  openEncoder,
  encodeReply,
})

/** The same facing providers: Anthropic, Claude on Bedrock and Vertex AI, and compatible servers. */
export const messagesUpstreamCodec: UpstreamCodec = withTextForms({
  dialect: 'anthropic-messages',
  encodeRequest,
  openDecoder,
  decodeReply,
})
