import { type BodyRefusal, invalidField, isBodyRefusal } from '../body-refusal.ts'
import type { Inexpressible } from '../canon/codec.ts'
import type { JsonObject } from '../json-value.ts'
import { isList, isNull, isRefused, isText, readModel, RequestFields } from '../request-fields.ts'
import { keySet } from '../splice/key-set.ts'
import { firstElement, type Span } from '../splice/scan.ts'
import { readSoleSteering, type Steering, STEERING_FIELDS } from '../steering.ts'

/** The members of a body for `/v1/embeddings` or `/v1/moderations` that the gateway needs. */
export interface InputRequest {
  readonly model: string
  readonly steering: Steering
  /** False if the model is missing or null. */
  readonly namesModel: boolean
  /** Bytes of the input without inline media; in a list of token numbers, each takes at least two. */
  readonly promptBytes: number
  readonly media: { readonly count: number; readonly bytes: number }
  /** `model` is undefined if the body names none; for null it is the span of that null. */
  readonly spans: { readonly body: Span; readonly model: Span | undefined }
}

const KEYS = keySet('model', 'input', ...STEERING_FIELDS)

/** `absentModel` is the model of a body that names none; undefined if a body must name one. */
export function readInputRequest(body: Uint8Array, absentModel?: string): InputRequest | BodyRefusal {
  const fields = RequestFields.read(body, KEYS)
  if (isBodyRefusal(fields)) return fields
  const model = readModel(fields.value('model') ?? absentModel ?? null)
  if (isRefused(model)) return model
  const problem = inputProblem(body, fields.spans.input)
  if (problem !== undefined) return problem
  const { media, object, spans } = fields
  const steering = readSoleSteering(body, spans)
  if (isBodyRefusal(steering)) return steering
  return {
    model,
    steering,
    namesModel: fields.value('model') !== null,
    promptBytes: Math.max(0, fields.bytes('input') - media.bytes),
    media,
    spans: { body: object, model: spans.model },
  }
}

/** Reads only the first bytes: an input can be as long as the body. */
function inputProblem(body: Uint8Array, input: Span | undefined): BodyRefusal | undefined {
  if (input === undefined || isNull(body, input)) return invalidField('input', 'is required')
  if (!isText(body, input) && !isList(body, input)) return invalidField('input', 'must be a string or a list')
  const isEmpty = isText(body, input) ? input.end - input.start === 2 : firstElement(body, input) === undefined
  return isEmpty ? invalidField('input', 'must not be empty') : undefined
}

/** The texts of a request for `/v1/embeddings`, for providers that accept no token numbers. */
export function inputTexts({ input }: JsonObject): readonly string[] | Inexpressible {
  const list: readonly unknown[] = Array.isArray(input) ? input : [input]
  const texts = list.filter((item): item is string => typeof item === 'string')
  return texts.length === list.length
    ? texts
    : { field: 'input', rule: 'must contain texts: the provider does not accept token ids' }
}
