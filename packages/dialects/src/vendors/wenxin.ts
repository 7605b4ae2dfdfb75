import type { UpstreamCodec } from '../canon/codec.ts'
import { withTextForms } from '../canon/foreign-shapes.ts'
import { decodeReply, openDecoder } from './wenxin-answer.ts'
import { encodeRequest } from './wenxin-request.ts'

/** Keys in two parts, of type 15, open this interface; newer ones belong to Qianfan, which speaks OpenAI's dialect. */
export const wenxinUpstreamCodec: UpstreamCodec = withTextForms({
  dialect: 'wenxin',
  encodeRequest,
  openDecoder,
  decodeReply,
})
