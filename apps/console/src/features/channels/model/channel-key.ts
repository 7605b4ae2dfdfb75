import { fieldsOfType, TYPE } from './type-fields.ts'
import type { ConfigField } from './type-fields.ts'

/** What a Coze key of the kind `oauth_jwt` must hold, in the order in which a missing one is named. */
const COZE_JWT_FIELDS = [
  'client_type',
  'client_id',
  'coze_www_base',
  'coze_api_base',
  'private_key',
  'public_key_id',
] as const

/** The parts of a key as they are in the form. */
export type KeyParts = Readonly<Record<ConfigField, string>> & { readonly key: string }

/**
 * The key to send: as typed, or joined by `|` for types whose key has parts. Empty when a part is missing; then it is
 * left out on an update, and refused on create.
 */
export function channelKey(type: number, values: KeyParts): string {
  const { joinedKey } = fieldsOfType(type)
  if (joinedKey === undefined) return values.key.trim()
  const parts = joinedKey.map((name) => values[name].trim())
  return parts.every((part) => part !== '') ? parts.join('|') : ''
}

/** The fields of a key that are still empty. */
export function missingKeyFields(type: number, values: KeyParts): readonly ('key' | ConfigField)[] {
  const { joinedKey } = fieldsOfType(type)
  return (joinedKey ?? ['key']).filter((name) => values[name].trim() === '')
}

export type CozeKeyProblem = { readonly kind: 'format' } | { readonly kind: 'missing'; readonly field: string }

/** What is wrong with the key of a Coze channel that signs its own tokens; undefined for every other channel. */
export function cozeKeyProblem(type: number, values: KeyParts): CozeKeyProblem | undefined {
  if (type !== TYPE.coze || values.auth_type !== 'oauth_jwt' || values.key.trim() === '') return undefined
  const parsed = parseObject(values.key)
  if (parsed === undefined) return { kind: 'format' }
  const field = COZE_JWT_FIELDS.find((name) => {
    const value = parsed[name]
    return typeof value !== 'string' || value.trim() === ''
  })
  return field === undefined ? undefined : { kind: 'missing', field }
}

/** A JSON object, or undefined when the text is none. */
export function parseObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const parsed: unknown = JSON.parse(text)
    return typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed) ? { ...parsed } : undefined
  } catch {
    return undefined
  }
}
