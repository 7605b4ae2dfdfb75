import { type BodyRefusal, invalidField, isBodyRefusal } from '../body-refusal.ts'
import { isList, isNull, isRefused, isText, readModel, RequestFields } from '../request-fields.ts'
import { keySet } from '../splice/key-set.ts'
import { arrayElements, type Span } from '../splice/scan.ts'
import { readSoleSteering, type Steering, STEERING_FIELDS } from '../steering.ts'

/** The members of a body for `/v1/rerank` or `/v2/rerank` that the gateway needs. */
export interface RerankRequest {
  readonly model: string
  /** Number of texts or objects to rank. */
  readonly documents: number
  /** Bytes of query and documents. */
  readonly queryBytes: number
  readonly documentBytes: number
  readonly steering: Steering
  readonly spans: { readonly model: Span }
}

const KEYS = keySet('model', 'query', 'documents', ...STEERING_FIELDS)
/** The maximum that any provider accepts. */
const DOCUMENTS_LIMIT = 10_000

/** The format that Cohere introduced and Jina, Voyage, SiliconFlow and others adopted. */
export function readRerankRequest(body: Uint8Array): RerankRequest | BodyRefusal {
  const fields = RequestFields.read(body, KEYS)
  if (isBodyRefusal(fields)) return fields
  const model = readModel(fields.value('model'))
  if (isRefused(model)) return model
  const { model: span, query, documents } = fields.spans
  if (span === undefined) return invalidField('model', 'is required')
  const problem = queryProblem(body, query)
  if (problem !== undefined) return problem
  const count = countDocuments(body, documents)
  if (isRefused(count)) return count
  const steering = readSoleSteering(body, fields.spans)
  if (isBodyRefusal(steering)) return steering
  return {
    model,
    documents: count,
    queryBytes: fields.bytes('query'),
    documentBytes: fields.bytes('documents'),
    steering,
    spans: { model: span },
  }
}

/** A text; some providers also accept an object with a picture. */
function queryProblem(body: Uint8Array, query: Span | undefined): BodyRefusal | undefined {
  if (query === undefined || isNull(body, query)) return invalidField('query', 'is required')
  if (isText(body, query)) return query.end - query.start === 2 ? invalidField('query', 'must not be empty') : undefined
  return body[query.start] === 0x7b ? undefined : invalidField('query', 'must be a string')
}

function countDocuments(body: Uint8Array, documents: Span | undefined): number | BodyRefusal {
  if (documents === undefined || isNull(body, documents)) return invalidField('documents', 'is required')
  if (!isList(body, documents)) return invalidField('documents', 'must be a list')
  let count = 0
  for (const element of arrayElements(body, documents)) {
    if (!isText(body, element) && body[element.start] !== 0x7b) {
      return invalidField(`documents[${count}]`, 'must be a string or an object')
    }
    count += 1
    if (count > DOCUMENTS_LIMIT) return invalidField('documents', `must contain at most ${DOCUMENTS_LIMIT} documents`)
  }
  return count === 0 ? invalidField('documents', 'must not be empty') : count
}
