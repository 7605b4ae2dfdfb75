import type { Refusal } from '@sluice/contract/errors'
import { type BodyRefusal, isBodyRefusal } from '@sluice/dialects/body-refusal'
import type { AnswerStream } from '@sluice/dialects/framing/answer-stream'
import { openTypedStream } from '@sluice/dialects/framing/typed-events'
import { readSpeechRequest, type SpeechRequest } from '@sluice/dialects/openai-audio/speech-request'
import { speechUsage } from '@sluice/dialects/openai-audio/usage'
import { replaceText } from '@sluice/dialects/openai-chat/rewrite'
import { openAiVoice } from '@sluice/dialects/openai-chat/voice'
import type { Splice } from '@sluice/dialects/splice/splice'
import type { Steering } from '@sluice/dialects/steering'
import type { TokenCounts } from '@sluice/dialects/token-counts'
import type { Quote } from '@sluice/providers/prices/quote'
import { type Asked, type CallEdits, JSON_STREAM, plainCounts, type UsageBound, type WholeAnswer } from './asked.ts'
import { promptBound } from './call-bounds.ts'
import { readJsonAnswer, typedEvents } from './json-answer.ts'
import { passedOnType } from './passed-on-type.ts'

/** `/v1/audio/speech` */
export function readSpeech(body: Buffer): Asked | BodyRefusal {
  const request = readSpeechRequest(body)
  return isBodyRefusal(request) ? request : new SpeechCall(request)
}

const SOUND_CALL: readonly string[] = ['content-type', 'application/json', 'accept', '*/*']
/** Twice what speech is charged at when nobody counted it: in some languages a character is a word. */
const MOST_TOKENS_PER_CHARACTER = 4

class SpeechCall implements Asked {
  readonly path = '/v1/audio/speech'
  readonly voice = openAiVoice
  readonly conversation = undefined
  readonly hasText = false
  readonly model: string
  readonly stream: boolean
  readonly headers: readonly string[]
  readonly promptBytes: number
  readonly steering: Steering
  private readonly request: SpeechRequest

  constructor(request: SpeechRequest) {
    this.request = request
    this.model = request.model
    this.steering = request.steering
    this.stream = request.stream
    this.headers = request.stream ? JSON_STREAM : SOUND_CALL
    this.promptBytes = request.promptBytes
  }

  bound(quote: Quote): UsageBound {
    const { characters, stream } = this.request
    const counts = plainCounts(Math.max(promptBound(this.request, undefined), characters), 0)
    // Only a stream, or a price for tokens of sound, has the sound counted.
    const isCounted = stream || quote.rates.units?.audio_output !== undefined
    const sound = isCounted ? { audio_output: characters * MOST_TOKENS_PER_CHARACTER } : {}
    return { counts: { ...counts, units: { character: characters, ...sound } }, open: false }
  }

  edits(_: Buffer, { model }: CallEdits): readonly Splice[] | Refusal {
    return model === this.model ? [] : [replaceText(this.request.spans.model, model)]
  }

  openStream(): AnswerStream {
    return openTypedStream(speechUsage, { completes: (type) => type === 'speech.audio.done', parts: 1 })
  }

  /** Sound is passed on as it is; a JSON answer can only be an error. */
  readAnswer(body: Buffer, contentType: string): WholeAnswer | { readonly invalid: string } {
    if (body.length === 0) return { invalid: 'it is empty' }
    if (!/json|html/i.test(contentType)) {
      return { usage: undefined, error: undefined, delivered: undefined, contentType: passedOnType(contentType) }
    }
    const answer = readJsonAnswer(speechUsage, body)
    return 'invalid' in answer || answer.error !== undefined ? answer : { invalid: 'it is no sound' }
  }

  asEvents(body: Buffer): Uint8Array {
    return typedEvents([{ type: 'speech.audio.delta', audio: body.toString('base64') }, { type: 'speech.audio.done' }])
  }

  ownCounts(): TokenCounts {
    return { ...plainCounts(0, 0), units: { character: this.request.characters } }
  }
}
