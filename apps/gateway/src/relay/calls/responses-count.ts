import { type BodyRefusal, isBodyRefusal } from '@sluice/dialects/body-refusal'
import type { Loss } from '@sluice/dialects/canon/losses'
import { inputTokens, responsesCountCodec } from '@sluice/dialects/openai-responses/codec'
import { readResponsesRequest } from '@sluice/dialects/openai-responses/request'
import type { TokenCounts } from '@sluice/dialects/token-counts'
import type { CountKind } from './count-tokens.ts'
import { type ParsedCall, plainCounts, type UsageBound } from './parsed-call.ts'
import { RESPONSES_CONVERSATION, ResponsesCall } from './responses.ts'

/** `/v1/responses/input_tokens` */
export const RESPONSES_COUNT: CountKind = {
  path: '/v1/responses/input_tokens',
  endpoint: 'response_api',
  body: 'json',
  read: (body) => readCount(body),
  reread: readCount,
  tell: inputTokens,
}

function readCount(body: Buffer, lost: readonly Loss[] = []): ParsedCall | BodyRefusal {
  const request = readResponsesRequest(body)
  return isBodyRefusal(request) ? request : new CountCall({ ...request, stream: false, isStored: false }, lost)
}

class CountCall extends ResponsesCall {
  override readonly path = RESPONSES_COUNT.path
  override readonly conversation = { ...RESPONSES_CONVERSATION, codec: responsesCountCodec }
  override readonly hasText = false

  override bound(): UsageBound {
    return { counts: plainCounts(0, 0), open: false }
  }

  override ownCounts(): TokenCounts {
    return plainCounts(0, 0)
  }
}
