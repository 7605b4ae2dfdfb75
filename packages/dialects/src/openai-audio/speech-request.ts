import { type BodyRefusal, invalidField, isBodyRefusal } from '../body-refusal.ts'
import { isRefused, readModel, readText, RequestFields } from '../request-fields.ts'
import { keySet } from '../splice/key-set.ts'
import { type Span } from '../splice/scan.ts'
import { readSoleSteering, type Steering, STEERING_FIELDS } from '../steering.ts'
import { charactersOf } from './usage.ts'

/** The members of a `/v1/audio/speech` body that the gateway needs. */
export interface SpeechRequest {
  readonly model: string
  /** The audio is requested as events (`stream_format: "sse"`). */
  readonly stream: boolean
  /** Characters of the text to speak. */
  readonly characters: number
  /** Bytes of text and instructions. */
  readonly promptBytes: number
  readonly steering: Steering
  readonly spans: { readonly body: Span; readonly model: Span }
}

const KEYS = keySet('model', 'input', 'instructions', 'stream_format', ...STEERING_FIELDS)
/** More than any provider accepts; OpenAI accepts 4,096. */
const INPUT_LIMIT = 100_000

export function readSpeechRequest(body: Uint8Array): SpeechRequest | BodyRefusal {
  const fields = RequestFields.read(body, KEYS)
  if (isBodyRefusal(fields)) return fields
  const model = readModel(fields.value('model'))
  if (isRefused(model)) return model
  const input = readText('input', fields.value('input'), INPUT_LIMIT)
  if (isRefused(input)) return input
  const format = fields.value('stream_format') ?? 'audio'
  if (format !== 'audio' && format !== 'sse') return invalidField('stream_format', 'must be "audio" or "sse"')
  const steering = readSoleSteering(body, fields.spans)
  if (isBodyRefusal(steering)) return steering
  const { model: span } = fields.spans
  if (span === undefined) return invalidField('model', 'is required')
  return {
    model,
    stream: format === 'sse',
    characters: charactersOf(input),
    promptBytes: fields.bytes('input') + fields.bytes('instructions'),
    steering,
    spans: { body: fields.object, model: span },
  }
}
