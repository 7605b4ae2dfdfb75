import { type BodyRefusal, invalidField, isBodyRefusal } from '@sluice/dialects/body-refusal'
import type { Loss } from '@sluice/dialects/canon/losses'
import { compactionCodec, type Seal } from '@sluice/dialects/openai-responses/compaction/compaction-codec'
import { readResponsesRequest, type ResponsesRequest } from '@sluice/dialects/openai-responses/request'
import type { ParsedCall, Conversation } from './parsed-call.ts'
import { RESPONSES_CONVERSATION, ResponsesCall } from './responses.ts'

export const COMPACT_PATH = '/v1/responses/compact'

/** `/v1/responses/compact`: a summary of a conversation. It is an answer of the model, and charged as one. */
export function readCompact(body: Buffer, lost: readonly Loss[] = []): ParsedCall | BodyRefusal {
  const request = readResponsesRequest(body)
  if (isBodyRefusal(request)) return request
  if (request.stream) return invalidField('stream', 'must be false: a compaction is not streamed')
  if (request.background)
    return invalidField('background', 'must be false: a compaction does not run in the background')
  // No provider stores it, and it has no item that could be referred to.
  return new CompactCall({ ...request, isStored: false, wantsSummary: true }, lost)
}

class CompactCall extends ResponsesCall {
  override readonly path = COMPACT_PATH
  override readonly conversation: Conversation

  constructor(request: ResponsesRequest, lost: readonly Loss[], codec = RESPONSES_CONVERSATION.codec) {
    super(request, lost)
    this.conversation = { ...RESPONSES_CONVERSATION, codec }
  }

  protected override summarising(seal: Seal): ParsedCall {
    return new CompactCall(this.request, this.storage.lost, compactionCodec(seal, true))
  }
}
