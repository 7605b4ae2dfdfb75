import type { UpstreamCodec } from '../canon/codec.ts'
import { decodeReply, openDecoder } from './decode-answer.ts'
import { encodeRequest } from './encode-request.ts'

export const cozeUpstreamCodec: UpstreamCodec = { dialect: 'coze', encodeRequest, openDecoder, decodeReply }
