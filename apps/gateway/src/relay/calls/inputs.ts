import type { Refusal } from '@sluice/contract/errors'
import { type BodyRefusal, isBodyRefusal } from '@sluice/dialects/body-refusal'
import { openAiFormat } from '@sluice/dialects/openai-chat/client-format'
import { replaceText } from '@sluice/dialects/openai-chat/stream/rewrite'
import { type InputRequest, readInputRequest } from '@sluice/dialects/openai-embeddings/request'
import { embeddingsUsage } from '@sluice/dialects/openai-embeddings/usage'
import { insertText, type Splice } from '@sluice/dialects/splice/splice'
import type { Steering } from '@sluice/dialects/steering'
import type { TokenCounts } from '@sluice/dialects/token-counts'
import { embeddingsEnd, type WithUsage } from '@sluice/dialects/usage/counted-usage'
import { BodyCall } from './body-call.ts'
import { promptBound } from './call-bounds.ts'
import { readJsonAnswer } from './json-answer.ts'
import { type ParsedCall, type CallEdits, plainCounts, type UsageBound } from './parsed-call.ts'

const USUAL_MODERATION = 'omni-moderation-latest'

/** `/v1/embeddings` */
export function readEmbedding(body: Buffer): ParsedCall | BodyRefusal {
  const request = readInputRequest(body)
  return isBodyRefusal(request) ? request : new InputCall('/v1/embeddings', request, embeddingsEnd)
}

/** `/v1/moderations`, whose answers have no usage. */
export function readModeration(body: Buffer): ParsedCall | BodyRefusal {
  const request = readInputRequest(body, USUAL_MODERATION)
  return isBodyRefusal(request) ? request : new InputCall('/v1/moderations', request)
}

/** A call that reads its input and returns numbers. */
class InputCall extends BodyCall<InputRequest> implements ParsedCall {
  readonly path: string
  readonly format = openAiFormat
  readonly conversation = undefined
  readonly hasText = false
  readonly steering: Steering
  readonly withUsage: WithUsage | undefined

  constructor(path: string, request: InputRequest, withUsage?: WithUsage) {
    super(request)
    this.path = path
    this.withUsage = withUsage
    this.steering = request.steering
  }

  bound(): UsageBound {
    // Every input can fill the window, so the window caps nothing here.
    return { counts: plainCounts(promptBound(this.request, undefined), 0), open: false }
  }

  edits(_: Buffer, { model }: CallEdits): readonly Splice[] | Refusal {
    const { spans, namesModel } = this.request
    if (spans.model === undefined) return [insertText(spans.body.start + 1, `"model":${JSON.stringify(model)},`)]
    return namesModel && model === this.model ? [] : [replaceText(spans.model, model)]
  }

  readAnswer(body: Buffer) {
    return readJsonAnswer(embeddingsUsage, body)
  }

  override ownCounts({ prompt }: { readonly prompt: number }): TokenCounts {
    return plainCounts(prompt, 0)
  }
}
