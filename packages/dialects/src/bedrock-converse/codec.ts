import type { UpstreamCodec } from '../canon/codec.ts'
import { withTextForms } from '../canon/foreign-shapes.ts'
import { decodeConverseReply, openConverseDecoder } from './decode-answer.ts'
import { encodeConverse } from './encode-request.ts'

export const converseUpstreamCodec: UpstreamCodec = withTextForms({
  dialect: 'bedrock-converse',
  encodeRequest: encodeConverse,
  openDecoder: openConverseDecoder,
  decodeReply: decodeConverseReply,
})
