import type { UpstreamCodec } from '../canon/codec.ts'
import { decodeReply, openDecoder } from './decode-answer.ts'
import { encodeRequest } from './encode-request.ts'

/** Keys of two parts of type 15 open this interface; newer ones belong to Qianfan, which speaks as OpenAI does. */
export const wenxinUpstreamCodec: UpstreamCodec = { dialect: 'wenxin', encodeRequest, openDecoder, decodeReply }
