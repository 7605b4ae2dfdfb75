import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import schemas from './reply-schemas.json' with { type: 'json' }

/** Replies and stream events for which OpenAI and Anthropic publish types. */
export type ReplyKind =
  | 'chat'
  | 'chat-event'
  | 'completion'
  | 'embeddings'
  | 'moderation'
  | 'model'
  | 'response'
  | 'response-event'
  | 'compaction'
  | 'message'
  | 'message-event'
  | 'message-count'
  | 'anthropic-model'

type Schema = Readonly<Record<string, unknown>>

const DEFINITIONS = schemas.$defs as Readonly<Record<string, Schema>>
const TAG = 'type'
const FAULTS_SHOWN = 8

/** The same schema with discriminated unions, so that validation reports errors only for the member with the right type. */
function tagged(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(tagged)
  if (typeof schema !== 'object' || schema === null) return schema
  const copy = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, tagged(value)]))
  const members = Array.isArray(copy['anyOf']) ? (copy['anyOf'] as readonly Schema[]) : []
  const objects = members.filter((each) => typeof each['$ref'] === 'string')
  const tags = objects.flatMap(tagsOf)
  const isTagged = objects.length > 1 && tags.length === objects.length && new Set(tags).size === tags.length
  if (!isTagged) return copy
  const { anyOf: _, ...rest } = copy
  const union = { type: 'object', required: [TAG], discriminator: { propertyName: TAG }, oneOf: objects }
  const others = members.filter((each) => !objects.includes(each))
  return others.length === 0 ? { ...rest, ...union } : { ...rest, anyOf: [union, ...others] }
}

function tagsOf({ $ref }: Schema): readonly unknown[] {
  const { properties, required } = DEFINITIONS[nameIn(String($ref))] ?? {}
  const tag = (properties as Readonly<Record<string, Schema>> | undefined)?.[TAG]?.['const']
  return tag !== undefined && Array.isArray(required) && required.includes(TAG) ? [tag] : []
}

const nameIn = (reference: string) => reference.slice('#/$defs/'.length)

const ajv = new Ajv2020({ strict: false, allErrors: true, discriminator: true })
ajv.addSchema({ $id: 'replies', $defs: tagged(DEFINITIONS) as Record<string, Schema> })
const validators = new Map<ReplyKind, ValidateFunction>()

/** Violations of the published types, as strict clients would see them; empty for a valid reply. */
export function faultsOf(kind: ReplyKind, reply: unknown): readonly string[] {
  let validate = validators.get(kind)
  if (validate === undefined) {
    validate = ajv.compile({ $ref: `replies#/$defs/${kind}` })
    validators.set(kind, validate)
  }
  if (validate(reply)) return []
  const errors = validate.errors ?? []
  const named = errors.filter(({ keyword, message }) => keyword !== 'anyOf' && message !== 'must be null')
  return (named.length === 0 ? errors : named).map(textOf).slice(0, FAULTS_SHOWN)
}

const textOf = ({ instancePath, message = '' }: ErrorObject) =>
  `${instancePath === '' ? 'it' : instancePath} ${message}`
