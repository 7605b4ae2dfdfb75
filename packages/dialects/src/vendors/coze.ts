import type { UpstreamCodec } from '../canon/codec.ts'
import { withTextForms } from '../canon/foreign-shapes.ts'
import { decodeReply, openDecoder } from './coze-answer.ts'
import { encodeRequest } from './coze-request.ts'

export const cozeUpstreamCodec: UpstreamCodec = withTextForms({
  dialect: 'coze',
  encodeRequest,
  openDecoder,
  decodeReply,
})
