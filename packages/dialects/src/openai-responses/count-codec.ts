import type { ClientCodec } from '../canon/codec.ts'
import { responsesClientCodec } from './codec.ts'
import { encodeUsage } from './encode-usage.ts'

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
