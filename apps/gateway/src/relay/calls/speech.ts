import { type BodyRefusal, isBodyRefusal } from '@sluice/dialects/body-refusal'
import type { AnswerStream } from '@sluice/dialects/framing/answer-stream'
import { openTypedStream } from '@sluice/dialects/framing/typed-events'
import { readSpeechRequest, type SpeechRequest } from '@sluice/dialects/openai-audio/speech-request'
import { speechUsage } from '@sluice/dialects/openai-audio/usage'
import type { TokenCounts } from '@sluice/dialects/token-counts'
import type { Quote } from '@sluice/providers/prices/quote'
import type { WholeAnswer } from './answer-reader.ts'
import { TextlessCall } from './body-call.ts'
import { promptBound } from './call-bounds.ts'
import { readJsonAnswer, typedEvents } from './json-answer.ts'
import { type ParsedCall, JSON_STREAM, plainCounts, type UsageBound } from './parsed-call.ts'
import { passedOnType } from './passed-on-type.ts'

/** `/v1/audio/speech` */
export function readSpeech(body: Buffer): ParsedCall | BodyRefusal {
  const request = readSpeechRequest(body)
  return isBodyRefusal(request) ? request : new SpeechCall(request)
}

const SOUND_CALL: readonly string[] = ['content-type', 'application/json', 'accept', '*/*']
/** Twice the charge for speech that the provider did not count, because in some languages a character is a word. */
const MOST_TOKENS_PER_CHARACTER = 4

class SpeechCall extends TextlessCall<SpeechRequest> implements ParsedCall {
  readonly path = '/v1/audio/speech'

  constructor(request: SpeechRequest) {
    super(request, request.stream ? JSON_STREAM : SOUND_CALL)
  }

  bound(quote: Quote): UsageBound {
    const { characters, stream } = this.request
    const counts = plainCounts(Math.max(promptBound(this.request, undefined), characters), 0)
    // Audio is counted only in a stream, or if its tokens have a price.
    const isCounted = stream || quote.rates.units?.audio_output !== undefined
    const sound = isCounted ? { audio_output: characters * MOST_TOKENS_PER_CHARACTER } : {}
    return { counts: { ...counts, units: { character: characters, ...sound } }, open: false }
  }

  override openStream(): AnswerStream {
    return openTypedStream(speechUsage, { completes: (type) => type === 'speech.audio.done', parts: 1 })
  }

  /** Audio is forwarded unchanged; a JSON answer can only be an error. */
  readAnswer(body: Buffer, contentType: string): WholeAnswer | { readonly invalid: string } {
    if (body.length === 0) return { invalid: 'it is empty' }
    if (!/json|html/i.test(contentType)) {
      return { usage: undefined, error: undefined, delivered: undefined, contentType: passedOnType(contentType) }
    }
    const answer = readJsonAnswer(speechUsage, body)
    return 'invalid' in answer || answer.error !== undefined ? answer : { invalid: 'it is not audio' }
  }

  override asEvents(body: Buffer): Uint8Array {
    return typedEvents([{ type: 'speech.audio.delta', audio: body.toString('base64') }, { type: 'speech.audio.done' }])
  }

  override ownCounts(): TokenCounts {
    return { ...plainCounts(0, 0), units: { character: this.request.characters } }
  }
}
