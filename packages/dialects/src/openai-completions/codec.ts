import type { ClientCodec } from '../canon/codec.ts'
import { decodeRequest } from './decode-request.ts'
import { encodeReply, openCompletionEncoder } from './encode-answer.ts'

/**
 * Clients of the older `/v1/completions` at providers that only converse: the prompt is what a user says, the text of the
 * answer is what completes it. Reasoning and tools have no place in such an answer.
 */
export const completionsClientCodec: ClientCodec = {
  dialect: 'openai-chat',
  decodeRequest,
  openEncoder: openCompletionEncoder,
  encodeReply,
}
