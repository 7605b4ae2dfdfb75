import type { ClientCodec, UpstreamCodec } from '../canon/codec.ts'
import { decodeReply, openDecoder } from './decode-answer.ts'
import { decodeRequest } from './decode-request.ts'
import { openEncoder } from './encode-answer.ts'
import { encodeReply } from './encode-reply.ts'
import { encodeRequest } from './encode-request.ts'

/** Anthropic's Messages, towards clients. */
export const messagesClientCodec: ClientCodec = {
  dialect: 'anthropic-messages',
  decodeRequest,
  openEncoder,
  encodeReply,
}

/** The same towards providers: Anthropic, Claude on Bedrock and Vertex AI, and servers that speak like them. */
export const messagesUpstreamCodec: UpstreamCodec = {
  dialect: 'anthropic-messages',
  encodeRequest,
  openDecoder,
  decodeReply,
}
