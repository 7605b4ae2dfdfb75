import { type BodyRefusal, invalidField } from '../body-refusal.ts'
import { readReferences, type Reference } from '../references.ts'
import { isRefused, refuseScan } from '../request-fields.ts'
import { looseKeySet } from '../splice/key-set.ts'
import { arrayElements, isScanFault, parseScalar, scanObject, type ScannedObject, type Span } from '../splice/scan.ts'
import type { Splice } from '../splice/splice.ts'
import { refuseStray, STRAY_FIELDS } from '../steering.ts'
import { HELD_REFERENCES } from './stored-objects.ts'

/** The members that the gateway needs of a body that repeats the model in its path: embeddings and token counts. */
export interface NamingRequest {
  readonly promptBytes: number
  readonly media: { readonly count: number; readonly bytes: number }
  /** Positions of the model's name, once or in each of the body's requests. */
  readonly models: readonly Span[]
  readonly references: readonly Reference[]
}

const KEYS = looseKeySet(
  'content',
  'contents',
  'requests',
  'model',
  'generateContentRequest',
  'systemInstruction',
  'tools',
  ...STRAY_FIELDS,
)
type Key = (typeof KEYS.names)[number]
const REQUEST_KEYS = looseKeySet('model')
/** More than Google accepts in one call. */
const REQUESTS_LIMIT = 2_048

export function readEmbedContent(body: Uint8Array): NamingRequest | BodyRefusal {
  return read(body, 'content', ({ content }) => content)
}

export function readBatchEmbedContents(body: Uint8Array): NamingRequest | BodyRefusal {
  return read(body, 'requests', ({ requests }) => requests)
}

/** A body of `countTokens`: contents, or a whole request of `generateContent`. */
export function readCountTokens(body: Uint8Array): NamingRequest | BodyRefusal {
  return read(body, 'contents', ({ contents, generateContentRequest }) => contents ?? generateContentRequest)
}

function read(
  body: Uint8Array,
  field: string,
  needed: (values: ScannedObject<Key>['values']) => Span | undefined,
): NamingRequest | BodyRefusal {
  const scanned = scanObject(body, KEYS)
  if (isScanFault(scanned)) return refuseScan(scanned, 'body')
  const { values, object, mediaBytes, mediaCount, mayRefer } = scanned
  if (needed(values) === undefined) return invalidField(field, 'is required')
  const stray = refuseStray(body, values)
  if (stray !== undefined) return stray
  const models = values.model === undefined ? [] : [values.model]
  const inside = values.generateContentRequest
  const requests = [...(inside === undefined ? [] : [inside]), ...elements(body, values.requests)]
  if (requests.length > REQUESTS_LIMIT) return invalidField(field, `must contain at most ${REQUESTS_LIMIT} requests`)
  for (const { start, end } of requests) {
    const request = scanObject(body, REQUEST_KEYS, { at: start, end })
    if (isScanFault(request)) return refuseScan(request, field)
    if (request.values.model !== undefined) models.push(request.values.model)
  }
  const references = readReferences(body, { spans: values, mayRefer }, HELD_REFERENCES)
  if (isRefused(references)) return references
  const promptBytes = Math.max(0, object.end - object.start - mediaBytes)
  return { promptBytes, media: { count: mediaCount, bytes: mediaBytes }, models, references }
}

/** At most one more than is allowed, so that the excess is noticed. */
function elements(body: Uint8Array, list: Span | undefined): readonly Span[] {
  if (list === undefined || body[list.start] !== 0x5b) return []
  const found: Span[] = []
  for (const span of arrayElements(body, list)) {
    found.push(span)
    if (found.length > REQUESTS_LIMIT) break
  }
  return found
}

/** The model in the path is checked and charged, so the body must not name another; not every server checks this. */
export function strayModel(
  body: Uint8Array,
  { models }: Pick<NamingRequest, 'models'>,
  model: string,
): BodyRefusal | undefined {
  const isOther = models.some((span) => {
    const name = parseScalar(body, span)
    return name !== null && name !== model && !(typeof name === 'string' && name.endsWith(`/${model}`))
  })
  return isOther ? invalidField('model', `must match the model in the path: models/${model}`) : undefined
}

export function renameModels({ models }: Pick<NamingRequest, 'models'>, model: string): readonly Splice[] {
  const name = /^(?:models|tunedModels)\//.test(model) ? model : `models/${model}`
  const bytes = new TextEncoder().encode(JSON.stringify(name))
  return models.map(({ start, end }) => ({ start, end, bytes }))
}
