import type { ClientCodec } from '../canon/codec.ts'
import { withTextOfShapes } from '../canon/foreign-shapes.ts'
import { decodeRequest } from './decode-request.ts'
import { encodeReply, openCompletionEncoder } from './encode-answer.ts'

/**
 * Clients of the older `/v1/completions` at providers that only know conversations: the prompt becomes a user's message, the text
 * of the answer its completion. Reasoning and tools cannot be part of such an answer.
 */
export const completionsClientCodec: ClientCodec = withTextOfShapes({
  dialect: 'openai-chat',
  decodeRequest,
  openEncoder: openCompletionEncoder,
  encodeReply,
})
