import type { Refusal } from '@sluice/contract/errors'
import { type BodyRefusal, isBodyRefusal } from '@sluice/dialects/body-refusal'
import type { AnswerStream } from '@sluice/dialects/framing/answer-stream'
import { replaceText } from '@sluice/dialects/openai-chat/rewrite'
import { openAiVoice } from '@sluice/dialects/openai-chat/voice'
import { type InputRequest, readInputRequest } from '@sluice/dialects/openai-embeddings/request'
import { embeddingsUsage } from '@sluice/dialects/openai-embeddings/usage'
import { insertText, type Splice } from '@sluice/dialects/splice/splice'
import type { Steering } from '@sluice/dialects/steering'
import type { TokenCounts } from '@sluice/dialects/token-counts'
import { type Asked, type CallEdits, JSON_CALL, plainCounts, type UsageBound } from './asked.ts'
import { promptBound } from './call-bounds.ts'
import { readJsonAnswer } from './json-answer.ts'

/** What OpenAI takes a moderation without a model for. */
const USUAL_MODERATION = 'omni-moderation-latest'

/** `/v1/embeddings` */
export function readEmbedding(body: Buffer): Asked | BodyRefusal {
  const request = readInputRequest(body)
  return isBodyRefusal(request) ? request : new InputCall('/v1/embeddings', request)
}

/** `/v1/moderations` */
export function readModeration(body: Buffer): Asked | BodyRefusal {
  const request = readInputRequest(body, USUAL_MODERATION)
  return isBodyRefusal(request) ? request : new InputCall('/v1/moderations', request)
}

/** A call that reads its input and writes numbers. */
class InputCall implements Asked {
  readonly path: string
  readonly voice = openAiVoice
  readonly conversation = undefined
  readonly hasText = false
  readonly stream = false
  readonly headers = JSON_CALL
  readonly model: string
  readonly promptBytes: number
  readonly steering: Steering
  private readonly request: InputRequest

  constructor(path: string, request: InputRequest) {
    this.path = path
    this.request = request
    this.model = request.model
    this.promptBytes = request.promptBytes
    this.steering = request.steering
  }

  bound(): UsageBound {
    // Every input may fill the window by itself, so the window caps nothing here.
    return { counts: plainCounts(promptBound(this.request, undefined), 0), open: false }
  }

  edits(_: Buffer, { model }: CallEdits): readonly Splice[] | Refusal {
    const { spans, namesModel } = this.request
    if (spans.model === undefined) return [insertText(spans.body.start + 1, `"model":${JSON.stringify(model)},`)]
    return namesModel && model === this.model ? [] : [replaceText(spans.model, model)]
  }

  openStream(): AnswerStream {
    throw new Error('this call has no stream')
  }

  readAnswer(body: Buffer) {
    return readJsonAnswer(embeddingsUsage, body)
  }

  asEvents(body: Buffer): Uint8Array {
    return body
  }

  ownCounts({ prompt }: { readonly prompt: number }): TokenCounts {
    return plainCounts(prompt, 0)
  }
}
