import type { UpstreamCodec } from '../canon/codec.ts'
import { decodeReply, openDecoder } from './coze-answer.ts'
import { encodeRequest } from './coze-request.ts'

export const cozeUpstreamCodec: UpstreamCodec = { dialect: 'coze', encodeRequest, openDecoder, decodeReply }
