import type { ClientCodec, UpstreamCodec } from '../canon/codec.ts'
import { withTextForms, withTextOfShapes } from '../canon/foreign-shapes.ts'
import { decodeReply, openDecoder } from './decode-answer.ts'
import { decodeRequest } from './decode-request.ts'
import { openEncoder } from './encode-answer.ts'
import { encodeReply } from './encode-reply.ts'
import { encodeRequest } from './encode-request.ts'
import { encodeUsage } from './encode-usage.ts'

/** OpenAI's Responses API, facing clients. Format: platform.openai.com/docs/api-reference/responses. */
export const responsesClientCodec: ClientCodec = withTextOfShapes({
  dialect: 'openai-responses',
  decodeRequest,
  openEncoder,
  encodeReply,
})

/** For OpenAI, Azure, xAI, OpenRouter and similar servers. */
export const responsesUpstreamCodec: UpstreamCodec = withTextForms({
  dialect: 'openai-responses',
  encodeRequest,
  openDecoder,
  decodeReply,
})

/** `/v1/responses/input_tokens`: the request of a response, answered with the size of its prompt. */
export const responsesCountCodec: ClientCodec = {
  ...responsesClientCodec,
  encodeReply: ({ usage }) => {
    const counts = usage?.counts
    return inputTokens(counts === undefined ? 0 : Number(encodeUsage(counts)['input_tokens']))
  },
}

export function inputTokens(tokens: number) {
  return { object: 'response.input_tokens', input_tokens: tokens }
}
