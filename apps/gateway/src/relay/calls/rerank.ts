import { type BodyRefusal, isBodyRefusal } from '@sluice/dialects/body-refusal'
import { cohereUsage } from '@sluice/dialects/cohere/usage'
import { readRerankRequest, type RerankRequest } from '@sluice/dialects/rerank/request'
import type { TokenCounts } from '@sluice/dialects/token-counts'
import { TextlessCall } from './body-call.ts'
import { promptBound } from './call-bounds.ts'
import { readJsonAnswer } from './json-answer.ts'
import { plainCounts, type ParsedCall, type UsageBound } from './parsed-call.ts'

/** `/v1/rerank`, and `/v2/rerank` for clients of Cohere. */
export function readRerank(body: Buffer): ParsedCall | BodyRefusal {
  const request = readRerankRequest(body)
  return isBodyRefusal(request) ? request : new RerankCall(request)
}

/** Cohere charges a query with up to a hundred documents as one search; longer documents count as several. */
const DOCUMENTS_PER_SEARCH = 100
const TOKENS_PER_PIECE = 500

class RerankCall extends TextlessCall<RerankRequest & { readonly promptBytes: number }> implements ParsedCall {
  readonly path = '/v1/rerank'

  constructor(request: RerankRequest) {
    // The query is read together with every document.
    super({ ...request, promptBytes: request.documents * request.queryBytes + request.documentBytes })
  }

  bound(): UsageBound {
    // Every document can fill the window, so the window caps nothing here.
    const tokens = promptBound(this, undefined)
    const pieces = this.request.documents + Math.ceil(tokens / TOKENS_PER_PIECE)
    return { counts: { ...plainCounts(tokens, 0), units: { search: searches(pieces) } }, open: false }
  }

  readAnswer(body: Buffer) {
    return readJsonAnswer(cohereUsage, body)
  }

  override ownCounts({ prompt }: { readonly prompt: number }): TokenCounts {
    return { ...plainCounts(prompt, 0), units: { search: searches(this.request.documents) } }
  }
}

const searches = (documents: number) => Math.ceil(documents / DOCUMENTS_PER_SEARCH)
