import type { Refusal } from '@sluice/contract/errors'
import { type BodyRefusal, isBodyRefusal } from '@sluice/dialects/body-refusal'
import { cohereUsage } from '@sluice/dialects/cohere/usage'
import type { AnswerStream } from '@sluice/dialects/framing/answer-stream'
import { replaceText } from '@sluice/dialects/openai-chat/rewrite'
import { openAiVoice } from '@sluice/dialects/openai-chat/voice'
import { readRerankRequest, type RerankRequest } from '@sluice/dialects/rerank/request'
import type { Splice } from '@sluice/dialects/splice/splice'
import type { Steering } from '@sluice/dialects/steering'
import type { TokenCounts } from '@sluice/dialects/token-counts'
import { type Asked, type CallEdits, JSON_CALL, plainCounts, type UsageBound } from './asked.ts'
import { promptBound } from './call-bounds.ts'
import { readJsonAnswer } from './json-answer.ts'

/** `/v1/rerank`, and `/v2/rerank` where clients of Cohere ask. */
export function readRerank(body: Buffer): Asked | BodyRefusal {
  const request = readRerankRequest(body)
  return isBodyRefusal(request) ? request : new RerankCall(request)
}

/** What Cohere sells as one search: a query with up to a hundred documents, of which longer ones count in pieces. */
const DOCUMENTS_PER_SEARCH = 100
const TOKENS_PER_PIECE = 500

class RerankCall implements Asked {
  readonly path = '/v1/rerank'
  readonly voice = openAiVoice
  readonly conversation = undefined
  readonly hasText = false
  readonly stream = false
  readonly headers = JSON_CALL
  readonly model: string
  /** The query is read beside every document. */
  readonly promptBytes: number
  readonly steering: Steering
  private readonly request: RerankRequest

  constructor(request: RerankRequest) {
    const { model, documents, queryBytes, documentBytes } = request
    this.request = request
    this.model = model
    this.steering = request.steering
    this.promptBytes = documents * queryBytes + documentBytes
  }

  bound(): UsageBound {
    // Every document may fill the window by itself, so the window caps nothing here.
    const tokens = promptBound(this, undefined)
    const pieces = this.request.documents + Math.ceil(tokens / TOKENS_PER_PIECE)
    return { counts: { ...plainCounts(tokens, 0), units: { search: searches(pieces) } }, open: false }
  }

  edits(_: Buffer, { model }: CallEdits): readonly Splice[] | Refusal {
    return model === this.model ? [] : [replaceText(this.request.spans.model, model)]
  }

  openStream(): AnswerStream {
    throw new Error('this call has no stream')
  }

  readAnswer(body: Buffer) {
    return readJsonAnswer(cohereUsage, body)
  }

  asEvents(body: Buffer): Uint8Array {
    return body
  }

  ownCounts({ prompt }: { readonly prompt: number }): TokenCounts {
    return { ...plainCounts(prompt, 0), units: { search: searches(this.request.documents) } }
  }
}

const searches = (documents: number) => Math.ceil(documents / DOCUMENTS_PER_SEARCH)
