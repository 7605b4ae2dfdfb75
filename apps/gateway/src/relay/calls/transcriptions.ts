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
import { openAiFormat } from '@sluice/dialects/openai-chat/client-format'
import type { Splice } from '@sluice/dialects/splice/splice'
import type { TokenCounts } from '@sluice/dialects/token-counts'
import type { WholeAnswer } from './answer-reader.ts'
import { BodyCall } from './body-call.ts'
import { promptBound, MS_PER_SOUND_TOKEN } from './call-bounds.ts'
import { readJsonAnswer, typedEvents } from './json-answer.ts'
import { type ParsedCall, type CallEdits, plainCounts, type UsageBound } from './parsed-call.ts'
import { passedOnType } from './passed-on-type.ts'

/** `/v1/audio/transcriptions` */
export function readTranscription(body: Buffer, contentType: string | undefined): ParsedCall | Refusal | BodyRefusal {
  return readForm('/v1/audio/transcriptions', body, contentType)
}

/** `/v1/audio/translations`: the same call, into English. */
export function readTranslation(body: Buffer, contentType: string | undefined): ParsedCall | Refusal | BodyRefusal {
  return readForm('/v1/audio/translations', body, contentType)
}

function readForm(path: string, body: Buffer, contentType: string | undefined): ParsedCall | Refusal | BodyRefusal {
  const boundary = formBoundary(contentType)
  if (boundary === undefined) {
    return { code: 'form_required', params: { got: (contentType ?? 'nothing').slice(0, 100) } }
  }
  const request = readTranscriptionRequest(body, boundary)
  return isBodyRefusal(request) ? request : new TranscriptionCall(path, formType(boundary), request)
}

/** Faster than anyone can speak: eight words a second. */
const TEXT_TOKENS_PER_SECOND = 10

class TranscriptionCall extends BodyCall<TranscriptionRequest> implements ParsedCall {
  readonly path: string
  readonly format = openAiFormat
  readonly conversation = undefined
  readonly hasText = false

  constructor(path: string, contentType: string, request: TranscriptionRequest) {
    super(request, ['content-type', contentType, 'accept', request.stream ? 'text/event-stream' : '*/*'])
    this.path = path
  }

  bound(): UsageBound {
    const { longestMs } = this.request
    const text = Math.ceil((longestMs / 1_000) * TEXT_TOKENS_PER_SECOND)
    const counts = plainCounts(promptBound(this.request, undefined), text)
    // The provider may count either of the two, and a price can have both.
    const sound = { audio_ms: longestMs, audio_input: Math.ceil(longestMs / MS_PER_SOUND_TOKEN) }
    return { counts: { ...counts, units: sound }, open: false }
  }

  edits(_: Buffer, { model }: CallEdits): readonly Splice[] | Refusal {
    const { start, end } = this.request.spans.model
    return model === this.model ? [] : [{ start, end, bytes: Buffer.from(model) }]
  }

  override openStream(): AnswerStream {
    return openTypedStream(transcriptionUsage, { completes: (type) => type === 'transcript.text.done', parts: 1 })
  }

  /** JSON contains its usage; plain text and subtitles are forwarded unchanged. */
  readAnswer(body: Buffer, contentType: string): WholeAnswer | { readonly invalid: string } {
    if (/json/i.test(contentType)) {
      const answer = readJsonAnswer(transcriptionUsage, body)
      return 'invalid' in answer ? answer : { ...answer, delivered: { text: textOf(body), beyondBytes: 0 } }
    }
    if (/html/i.test(contentType)) return { invalid: 'it is a web page' }
    const delivered = { text: body.toString().replace(TIMINGS, ''), beyondBytes: 0 }
    return { usage: undefined, error: undefined, delivered, contentType: passedOnType(contentType) }
  }

  override asEvents(body: Buffer): Uint8Array {
    const reply = asObject(parseJson(body.toString()))
    const { text, usage }: JsonObject = reply ?? { text: body.toString(), usage: undefined }
    return typedEvents([{ type: 'transcript.text.done', text, usage }])
  }

  override ownCounts({ output }: { readonly output: number }): TokenCounts {
    const { audioMs, longestMs } = this.request
    // A file can claim to be shorter than it is, but no one speaks that fast.
    const spokenMs = Math.min(longestMs, (output / TEXT_TOKENS_PER_SECOND) * 1_000)
    return { ...plainCounts(0, output), units: { audio_ms: Math.max(audioMs ?? longestMs, Math.ceil(spokenMs)) } }
  }
}

const TIMINGS = /^(?:WEBVTT|\d+|.*-->.*)\r?$/gm

/** The transcript of a JSON answer that has already been parsed. */
function textOf(body: Buffer): string {
  const text = asObject(parseJson(body.toString()))?.['text']
  return typeof text === 'string' ? text : ''
}
