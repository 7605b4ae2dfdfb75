import type { Refusal } from '@sluice/contract/errors'
import type { AnswerStream } from '@sluice/dialects/framing/answer-stream'
import { openAiFormat } from '@sluice/dialects/openai-chat/client-format'
import { replaceText } from '@sluice/dialects/openai-chat/stream/rewrite'
import type { Splice } from '@sluice/dialects/splice/splice'
import type { Steering } from '@sluice/dialects/steering'
import type { TokenCounts } from '@sluice/dialects/token-counts'
import { type CallEdits, JSON_CALL, JSON_STREAM, plainCounts } from './parsed-call.ts'

interface ReadRequest {
  readonly model: string
  readonly promptBytes: number
  readonly stream?: boolean
}

/** The common part of parsed calls of all kinds; a kind overrides what differs. Not streamed by default. */
export abstract class BodyCall<Request extends ReadRequest> {
  readonly model: string
  readonly promptBytes: number
  readonly stream: boolean
  readonly headers: readonly string[]
  protected readonly request: Request

  constructor(request: Request, headers = request.stream === true ? JSON_STREAM : JSON_CALL) {
    this.request = request
    this.model = request.model
    this.promptBytes = request.promptBytes
    this.stream = request.stream ?? false
    this.headers = headers
  }

  openStream(): AnswerStream {
    throw new Error('this call has no stream')
  }

  asEvents(body: Buffer): Uint8Array {
    return body
  }

  ownCounts({ prompt, output }: { readonly prompt: number; readonly output: number }): TokenCounts {
    return plainCounts(prompt, output)
  }
}

interface SteeredRequest extends ReadRequest {
  readonly spans: { readonly model: Parameters<typeof replaceText>[0] }
  readonly steering: Steering
}

/** A call of OpenAI's dialect that is not a conversation, and whose answer is not text: numbers, pictures, audio. */
export abstract class TextlessCall<Request extends SteeredRequest> extends BodyCall<Request> {
  readonly format = openAiFormat
  readonly conversation = undefined
  readonly hasText = false
  readonly steering: Steering

  constructor(request: Request, headers?: readonly string[]) {
    super(request, headers)
    this.steering = request.steering
  }

  edits(_: Buffer, { model }: CallEdits): readonly Splice[] | Refusal {
    return model === this.model ? [] : [replaceText(this.request.spans.model, model)]
  }
}
