import type { UpstreamCodec } from '../canon/codec.ts'
import { withTextForms } from '../canon/foreign-shapes.ts'
import { decodeCohereReply, openCohereDecoder } from './decode-answer.ts'
import { encodeCohere } from './encode-request.ts'

export const cohereUpstreamCodec: UpstreamCodec = withTextForms({
  dialect: 'cohere',
  encodeRequest: encodeCohere,
  openDecoder: openCohereDecoder,
  decodeReply: decodeCohereReply,
})
