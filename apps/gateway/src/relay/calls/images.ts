import type { Refusal } from '@sluice/contract/errors'
import { type BodyRefusal, isBodyRefusal } from '@sluice/dialects/body-refusal'
import type { AnswerStream } from '@sluice/dialects/framing/answer-stream'
import { openTypedStream } from '@sluice/dialects/framing/typed-events'
import { replaceText } from '@sluice/dialects/openai-chat/rewrite'
import { openAiVoice } from '@sluice/dialects/openai-chat/voice'
import { type ImageRequest, readImageRequest } from '@sluice/dialects/openai-images/request'
import { imagesUsage } from '@sluice/dialects/openai-images/usage'
import type { Splice } from '@sluice/dialects/splice/splice'
import type { TokenCounts } from '@sluice/dialects/token-counts'
import type { Quote } from '@sluice/providers/prices/quote'
import { PICTURE_AS_TOKENS } from '../priced-units.ts'
import { type Asked, type CallEdits, JSON_CALL, JSON_STREAM, plainCounts, type UsageBound } from './asked.ts'
import { promptBound } from './call-bounds.ts'
import { readJsonAnswer, typedEvents } from './json-answer.ts'

/** `/v1/images/generations` */
export function readImageCall(body: Buffer): Asked | BodyRefusal {
  const request = readImageRequest(body)
  return isBodyRefusal(request) ? request : new ImageCall(request)
}

/** More than any provider counts for a picture: OpenAI's largest at high quality has 6,240 tokens. */
const TOKENS_PER_PICTURE = 8_192
/** Previews of a streamed picture, 100 tokens each; at most three can be asked for. */
const PREVIEW_TOKENS = 300

class ImageCall implements Asked {
  readonly path = '/v1/images/generations'
  readonly voice = openAiVoice
  readonly conversation = undefined
  readonly hasText = false
  readonly model: string
  readonly stream: boolean
  readonly headers: readonly string[]
  readonly promptBytes: number
  readonly picture: { readonly size: string; readonly quality: string }
  private readonly request: ImageRequest

  constructor(request: ImageRequest) {
    this.request = request
    this.model = request.model
    this.stream = request.stream
    this.headers = request.stream ? JSON_STREAM : JSON_CALL
    this.promptBytes = request.promptBytes
    this.picture = { size: request.size, quality: request.quality }
  }

  bound(quote: Quote): UsageBound {
    const { n, stream } = this.request
    const tokens = n * (TOKENS_PER_PICTURE + (stream ? PREVIEW_TOKENS : 0))
    const counts = plainCounts(promptBound(this.request, quote.context) + n * PICTURE_AS_TOKENS, 0)
    return { counts: { ...counts, units: { image: n, image_output: tokens } }, open: false }
  }

  edits(_: Buffer, { model }: CallEdits): readonly Splice[] | Refusal {
    return model === this.model ? [] : [replaceText(this.request.spans.model, model)]
  }

  openStream(): AnswerStream {
    return openTypedStream(imagesUsage, { completes: (type) => type.endsWith('.completed'), parts: this.request.n })
  }

  readAnswer(body: Buffer) {
    return readJsonAnswer(imagesUsage, body)
  }

  asEvents(body: Buffer): Uint8Array {
    const { data = [], usage } = JSON.parse(body.toString()) as { data?: readonly object[]; usage?: object }
    return typedEvents(data.map((picture) => ({ type: 'image_generation.completed', ...picture, usage })))
  }

  ownCounts({ prompt }: { readonly prompt: number }): TokenCounts {
    return { ...plainCounts(prompt, 0), units: { image: this.request.n } }
  }
}
