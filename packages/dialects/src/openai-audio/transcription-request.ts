import { type BodyRefusal, invalidField, isBodyRefusal } from '../body-refusal.ts'
import { readForm } from '../multipart/form-fields.ts'
import { type FormPart, formText } from '../multipart/form.ts'
import { isRefused, readModel } from '../request-fields.ts'
import type { Span } from '../splice/scan.ts'
import { longestAudioMs, readAudioMs } from './audio-length.ts'

/** The parts that the gateway needs of a form for `/v1/audio/transcriptions` or `/v1/audio/translations`. */
export interface TranscriptionRequest {
  readonly model: string
  readonly stream: boolean
  /** Length by the audio's own header, if it has one. A client can lie here, so the provider's measurement takes precedence. */
  readonly audioMs: number | undefined
  /** The longest possible duration of a file of this size. */
  readonly longestMs: number
  readonly promptBytes: number
  readonly spans: { readonly model: Span }
}

const NAMES = {
  fields: new Set(['model', 'file', 'stream', 'response_format', 'prompt']),
  files: new Set(['file']),
}

export function readTranscriptionRequest(body: Uint8Array, boundary: string): TranscriptionRequest | BodyRefusal {
  const parts = readForm(body, boundary, NAMES)
  if (isBodyRefusal(parts)) return parts
  const byName = new Map<string, FormPart>(parts.map((part) => [part.name, part]))
  const modelPart = byName.get('model')
  const model = readModel(modelPart === undefined ? null : formText(body, modelPart))
  if (isRefused(model) || modelPart === undefined)
    return isRefused(model) ? model : invalidField('model', 'is required')
  const file = byName.get('file')
  if (file === undefined) return invalidField('file', 'is required')
  if (file.content.start === file.content.end) return invalidField('file', 'must not be empty')
  const streamPart = byName.get('stream')
  const stream = streamPart === undefined ? 'false' : formText(body, streamPart).toLowerCase()
  if (stream !== 'true' && stream !== 'false') return invalidField('stream', 'must be true or false')
  const sound = body.subarray(file.content.start, file.content.end)
  const prompt = byName.get('prompt')?.content
  return {
    model,
    stream: stream === 'true',
    audioMs: readAudioMs(sound),
    longestMs: longestAudioMs(sound),
    promptBytes: prompt === undefined ? 0 : prompt.end - prompt.start,
    spans: { model: modelPart.content },
  }
}
