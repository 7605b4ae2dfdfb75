import { type BodyRefusal, invalidField, isBodyRefusal } from '../body-refusal.ts'
import { isRefused, readModel, RequestFields } from '../request-fields.ts'
import { keySet, type Span } from '../splice/scan.ts'

/** What the gateway needs to know of a body for `/v1/embeddings` or `/v1/moderations`. */
export interface InputRequest {
  readonly model: string
  /** False when the body names no model, or null. */
  readonly namesModel: boolean
  /** Bytes of the input without inline media; a list of token numbers has at least two for each. */
  readonly promptBytes: number
  readonly media: { readonly count: number; readonly bytes: number }
  /** `model` is undefined when there is none, and stands for null when that was given. */
  readonly spans: { readonly body: Span; readonly model: Span | undefined }
}

const KEYS = keySet('model', 'input')

/** `absentModel` is what a body without a model asks for; undefined when it must name one. */
export function readInputRequest(body: Uint8Array, absentModel?: string): InputRequest | BodyRefusal {
  const fields = RequestFields.read(body, KEYS)
  if (isBodyRefusal(fields)) return fields
  const model = readModel(fields.value('model') ?? absentModel ?? null)
  if (isRefused(model)) return model
  const problem = inputProblem(fields.value('input'))
  if (problem !== undefined) return problem
  const { media, object, spans } = fields
  return {
    model,
    namesModel: fields.value('model') !== null,
    promptBytes: Math.max(0, fields.bytes('input') - media.bytes),
    media,
    spans: { body: object, model: spans.model },
  }
}

function inputProblem(input: unknown): BodyRefusal | undefined {
  if (input === null) return invalidField('input', 'is required')
  if (input === '' || (Array.isArray(input) && input.length === 0)) return invalidField('input', 'must not be empty')
  if (typeof input === 'string' || Array.isArray(input)) return undefined
  return invalidField('input', 'must be a string or a list')
}
