import { type BodyRefusal, invalidField, isBodyRefusal } from '../body-refusal.ts'
import { TOKENS_LIMIT } from '../openai-chat/identify.ts'
import { ADDRESS, ID, readReferences, type Reference, type ReferringMembers, type Shape, shape } from '../references.ts'
import {
  isList,
  isNull,
  isRefused,
  isText,
  readFlag,
  readModel,
  readWhole,
  refuseScan,
  RequestFields,
} from '../request-fields.ts'
import { keySet } from '../splice/key-set.ts'
import { arrayElements, isScanFault, parseScalar, type ScannedObject, scanObject, type Span } from '../splice/scan.ts'
import { insertText, type Splice } from '../splice/splice.ts'
import { readSteering, type Steering, STEERING_FIELDS } from '../steering.ts'
import { COMPACTION_TRIGGER, isCompaction, SEALED_HERE } from './compaction/compaction-item.ts'
import { isTranslatedReasoning } from './output-items.ts'

/** The members of a `/v1/responses` body that the gateway needs; everything else is passed on unread. */
export interface ResponsesRequest {
  readonly model: string
  readonly stream: boolean
  /** Output-token limit, including reasoning. */
  readonly maxOutput: number | undefined
  /** Bytes of input, instructions, tools and format without inline media, for the prompt estimate. */
  readonly promptBytes: number
  readonly media: { readonly count: number; readonly bytes: number }
  readonly steering: Steering
  /** True if the provider is not told to discard the response. */
  readonly isStored: boolean
  /** Responses and items of earlier calls that the provider must look up. */
  readonly references: readonly Reference[]
  /** Files, containers and other objects that the provider must look up. */
  readonly objects: readonly Reference[]
  /** Summaries that were encrypted here, unchanged. */
  readonly summaries: readonly Reference[]
  /** The client wants a summary of the conversation in place of an answer. */
  readonly wantsSummary: boolean
  /** The input contains reasoning that was translated here; a provider of this dialect would mistake it for its own. */
  readonly hasTranslatedReasoning: boolean
  /** The client does not wait for the answer but fetches it later. */
  readonly background: boolean
  readonly spans: {
    readonly body: Span
    readonly model: Span
    readonly instructions: Span | undefined
    readonly stream: Span | undefined
    readonly background: Span | undefined
  }
}

const KEYS = keySet(
  'model',
  'input',
  'instructions',
  'tools',
  'text',
  'stream',
  'max_output_tokens',
  'store',
  'background',
  'previous_response_id',
  'conversation',
  'prompt',
  ...STEERING_FIELDS,
)

/** Maximum characters of an id that is looked up; OpenAI's have less than 100. */
const ID_LIMIT = 256
/** Maximum earlier items that one request may name. */
const REFERENCES_LIMIT = 1_000

/** Refuses conversations stored at the provider, because they cannot be separated by user. */
export function readResponsesRequest(body: Uint8Array): ResponsesRequest | BodyRefusal {
  const fields = RequestFields.read(body, KEYS)
  if (isBodyRefusal(fields)) return fields
  const { spans } = fields
  const model = readModel(fields.value('model'))
  if (isRefused(model)) return model
  const stream = readFlag('stream', fields.value('stream'))
  if (isRefused(stream)) return stream
  const cap = readWhole('max_output_tokens', fields.value('max_output_tokens'), {
    min: 0,
    max: TOKENS_LIMIT,
    absent: 0,
  })
  if (isRefused(cap)) return cap
  const steering = readSteering(body, spans)
  if (isBodyRefusal(steering)) return steering
  const isForgotten = fields.value('store') === false
  const background = readFlag('background', fields.value('background'))
  if (isRefused(background)) return background
  if (background && stream) return invalidField('stream', 'must be false with background: fetch the response by its id')
  if (background && isForgotten)
    return invalidField(
      'store',
      'must not be false with background, because the response is stored until it is fetched',
    )
  if (spans.conversation !== undefined && !isNull(body, spans.conversation)) {
    return invalidField('conversation', 'is not available: use previous_response_id, or send the conversation in input')
  }
  const outline = readInput(body, fields.value('previous_response_id'), spans.input)
  if (isRefused(outline)) return outline
  const objects = readReferences(body, fields, RESPONSES_REFERENCES)
  if (isRefused(objects)) return objects
  if (spans.model === undefined) return invalidField('model', 'is required')
  const bytes = fields.bytes('input') + fields.bytes('instructions') + fields.bytes('tools') + fields.bytes('text')
  return {
    model,
    stream,
    maxOutput: cap === 0 ? undefined : cap,
    promptBytes: Math.max(0, bytes - fields.media.bytes),
    media: fields.media,
    steering,
    isStored: !isForgotten,
    ...outline,
    objects,
    background,
    spans: {
      body: fields.object,
      model: spans.model,
      instructions: spans.instructions,
      stream: spans.stream,
      background: spans.background,
    },
  }
}

const ITEM_KEYS = keySet('type', 'role', 'id', 'encrypted_content')
/** Maximum summaries in one request: a conversation has one, or the few before it. */
const SUMMARIES_LIMIT = 100

type Outline = Pick<ResponsesRequest, 'references' | 'summaries' | 'wantsSummary' | 'hasTranslatedReasoning'>

function readInput(body: Uint8Array, previous: unknown, input: Span | undefined): Outline | BodyRefusal {
  const references: Reference[] = []
  const summaries: Reference[] = []
  let wantsSummary = false
  let hasTranslatedReasoning = false
  if (previous !== null) {
    if (!isId(previous)) return invalidField('previous_response_id', 'must be the id of a response')
    references.push({ id: previous, field: 'previous_response_id' })
  }
  if (input === undefined || isNull(body, input) || isText(body, input))
    return { references, summaries, wantsSummary, hasTranslatedReasoning }
  if (!isList(body, input)) return invalidField('input', 'must be a string or a list')
  let index = 0
  for (const { start, end } of arrayElements(body, input)) {
    const path = `input[${index++}]`
    const item = scanObject(body, ITEM_KEYS, { at: start, end })
    if (isScanFault(item)) return refuseScan(item, path)
    const id = item.values.id === undefined ? null : parseScalar(body, item.values.id)
    const type = item.values.type === undefined ? null : parseScalar(body, item.values.type)
    if (type === COMPACTION_TRIGGER) wantsSummary = true
    if (isCompaction(type)) {
      const sealed = item.values.encrypted_content && parseScalar(body, item.values.encrypted_content)
      if (typeof sealed !== 'string' || !sealed.startsWith(SEALED_HERE)) continue
      if (summaries.length === SUMMARIES_LIMIT)
        return invalidField('input', `must contain at most ${SUMMARIES_LIMIT} compaction items`)
      summaries.push({ id: sealed, field: `${path}.encrypted_content` })
      continue
    }
    if (!isReference(type, item)) {
      hasTranslatedReasoning ||= typeof id === 'string' && isTranslatedReasoning(id)
      continue
    }
    if (!isId(id)) return invalidField(`${path}.id`, 'must be the id of an item')
    if (references.length === REFERENCES_LIMIT)
      return invalidField('input', `must refer to at most ${REFERENCES_LIMIT} items`)
    references.push({ id, field: `${path}.id` })
  }
  return { references, summaries, wantsSummary, hasTranslatedReasoning }
}

/** The type can be omitted for a reference, and for a message, which has a role. */
function isReference(type: unknown, { values }: ScannedObject<'role'>): boolean {
  return type === 'item_reference' || (type === null && values.role === undefined)
}

const isId = (value: unknown): value is string =>
  typeof value === 'string' && value.length > 0 && value.length <= ID_LIMIT

export function setInstructions({ spans }: ResponsesRequest, text: string): Splice {
  const { body: object, instructions } = spans
  const value = JSON.stringify(text)
  // The body contains at least a model, so the inserted member always needs a comma.
  if (instructions === undefined) return insertText(object.start + 1, `"instructions":${value},`)
  return { start: instructions.start, end: instructions.end, bytes: new TextEncoder().encode(value) }
}

/** Content of a message, or the output of a tool. */
const PART: Shape = shape(() => ({ file_id: ID, image_url: ADDRESS, file_url: ADDRESS }))

/** A new container has no id, but can be given files. */
const CONTAINER: Shape = shape(
  () => ({ id: ID, container_id: ID, file_ids: ID, skills: shape(() => ({ skill_id: ID })) }),
  { leaf: 'id' },
)

/** References to objects of the key's account, except answers and their items. Sources cited earlier are only repeated. */
const RESPONSES_REFERENCES: ReferringMembers = {
  outer: { prompt: shape(() => ({ id: ID })) },
  inner: {
    input: shape(() => ({ content: PART, output: PART, container_id: ID })),
    tools: shape(() => ({
      container: CONTAINER,
      environment: CONTAINER,
      vector_store_ids: ID,
      input_image_mask: PART,
    })),
  },
}
