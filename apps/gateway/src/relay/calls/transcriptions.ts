import type { Refusal } from '@sluice/contract/errors'
import { type BodyRefusal, isBodyRefusal } from '@sluice/dialects/body-refusal'
import type { AnswerStream } from '@sluice/dialects/framing/answer-stream'
import { openTypedStream } from '@sluice/dialects/framing/typed-events'
import { asObject, type JsonObject, parseJson } from '@sluice/dialects/json-value'
import { formBoundary, formType } from '@sluice/dialects/multipart/form'
import {
  readTranscriptionRequest,
  type TranscriptionRequest,
} from '@sluice/dialects/openai-audio/transcription-request'
import { transcriptionUsage } from '@sluice/dialects/openai-audio/usage'
import { openAiVoice } from '@sluice/dialects/openai-chat/voice'
import type { Splice } from '@sluice/dialects/splice/splice'
import type { TokenCounts } from '@sluice/dialects/token-counts'
import { MS_PER_SOUND_TOKEN } from '../priced-units.ts'
import { type Asked, type CallEdits, plainCounts, type UsageBound, type WholeAnswer } from './asked.ts'
import { promptBound } from './call-bounds.ts'
import { readJsonAnswer, typedEvents } from './json-answer.ts'
import { passedOnType } from './passed-on-type.ts'

/** `/v1/audio/transcriptions` */
export function readTranscription(body: Buffer, contentType: string | undefined): Asked | Refusal | BodyRefusal {
  return readForm('/v1/audio/transcriptions', body, contentType)
}

/** `/v1/audio/translations`: the same in English. */
export function readTranslation(body: Buffer, contentType: string | undefined): Asked | Refusal | BodyRefusal {
  return readForm('/v1/audio/translations', body, contentType)
}

function readForm(path: string, body: Buffer, contentType: string | undefined): Asked | Refusal | BodyRefusal {
  const boundary = formBoundary(contentType)
  if (boundary === undefined) {
    return { code: 'form_required', params: { got: (contentType ?? 'nothing').slice(0, 100) } }
  }
  const request = readTranscriptionRequest(body, boundary)
  return isBodyRefusal(request) ? request : new TranscriptionCall(path, formType(boundary), request)
}

/** Faster than anybody speaks: eight words a second. */
const TEXT_TOKENS_PER_SECOND = 10

class TranscriptionCall implements Asked {
  readonly path: string
  readonly voice = openAiVoice
  readonly conversation = undefined
  readonly hasText = false
  readonly model: string
  readonly stream: boolean
  readonly headers: readonly string[]
  readonly promptBytes: number
  private readonly request: TranscriptionRequest

  constructor(path: string, contentType: string, request: TranscriptionRequest) {
    this.path = path
    this.request = request
    this.model = request.model
    this.stream = request.stream
    this.headers = ['content-type', contentType, 'accept', request.stream ? 'text/event-stream' : '*/*']
    this.promptBytes = request.promptBytes
  }

  bound(): UsageBound {
    const { longestMs } = this.request
    const text = Math.ceil((longestMs / 1_000) * TEXT_TOKENS_PER_SECOND)
    const counts = plainCounts(promptBound(this.request, undefined), text)
    // Nobody knows which of the two the provider will count, and a price may know both.
    const sound = { audio_ms: longestMs, audio_input: Math.ceil(longestMs / MS_PER_SOUND_TOKEN) }
    return { counts: { ...counts, units: sound }, open: false }
  }

  edits(_: Buffer, { model }: CallEdits): readonly Splice[] | Refusal {
    const { start, end } = this.request.spans.model
    return model === this.model ? [] : [{ start, end, bytes: Buffer.from(model) }]
  }

  openStream(): AnswerStream {
    return openTypedStream(transcriptionUsage, { completes: (type) => type === 'transcript.text.done', parts: 1 })
  }

  /** JSON tells its usage; plain text and subtitles are passed on as they are. */
  readAnswer(body: Buffer, contentType: string): WholeAnswer | { readonly invalid: string } {
    if (/json/i.test(contentType)) {
      const answer = readJsonAnswer(transcriptionUsage, body)
      return 'invalid' in answer ? answer : { ...answer, delivered: { text: textOf(body), beyondBytes: 0 } }
    }
    if (/html/i.test(contentType)) return { invalid: 'it is a web page' }
    const delivered = { text: body.toString().replace(TIMINGS, ''), beyondBytes: 0 }
    return { usage: undefined, error: undefined, delivered, contentType: passedOnType(contentType) }
  }

  asEvents(body: Buffer): Uint8Array {
    const reply = asObject(parseJson(body.toString()))
    const { text, usage }: JsonObject = reply ?? { text: body.toString(), usage: undefined }
    return typedEvents([{ type: 'transcript.text.done', text, usage }])
  }

  ownCounts({ output }: { readonly output: number }): TokenCounts {
    const { audioMs, longestMs } = this.request
    // A file may claim to be shorter than it is, but nobody speaks so fast.
    const spokenMs = Math.min(longestMs, (output / TEXT_TOKENS_PER_SECOND) * 1_000)
    return { ...plainCounts(0, output), units: { audio_ms: Math.max(audioMs ?? longestMs, Math.ceil(spokenMs)) } }
  }
}

/** The lines of subtitles that nobody speaks. */
const TIMINGS = /^(?:WEBVTT|\d+|.*-->.*)\r?$/gm

/** The transcript of a JSON answer, which was read before. */
function textOf(body: Buffer): string {
  const text = asObject(parseJson(body.toString()))?.['text']
  return typeof text === 'string' ? text : ''
}
