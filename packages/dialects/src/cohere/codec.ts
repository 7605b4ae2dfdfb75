import type { UpstreamCodec } from '../canon/codec.ts'
import { decodeCohereReply, openCohereDecoder } from './decode-answer.ts'
import { encodeCohere } from './encode-request.ts'

/** Cohere's v2 chat. */
export const cohereUpstreamCodec: UpstreamCodec = {
  dialect: 'cohere',
  encodeRequest: encodeCohere,
  openDecoder: openCohereDecoder,
  decodeReply: decodeCohereReply,
}
