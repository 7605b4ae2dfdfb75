import { type ConfigField, type KeyField, PART_FIELDS, type PartField } from '@sluice/contract/channel-kinds'
import { hasSameKeyForm, keyFormOf, TYPE } from './channel-kind.ts'

/** What a Coze key of the kind `oauth_jwt` must contain, in the order in which a missing field is reported. */
const COZE_JWT_FIELDS = [
  'client_type',
  'client_id',
  'coze_www_base',
  'coze_api_base',
  'private_key',
  'public_key_id',
] as const

export type KeyParts = Readonly<Record<KeyField, string>> & { readonly key_form: string }

/**
 * The key as typed, or its parts joined by `|`. Empty when a part is missing: an update then omits the key, and a create is
 * refused.
 */
export function channelKey(type: number, values: KeyParts): string {
  const { parts, optionalPart } = keyFormOf(type, values.key_form)
  const given = parts.map((name) => values[name].trim())
  if (given.some((part) => part === '')) return ''
  const last = optionalPart === undefined ? '' : values[optionalPart].trim()
  return [...given, ...(last === '' ? [] : [last])].join('|')
}

export function missingKeyFields(type: number, values: KeyParts): readonly KeyField[] {
  return keyFormOf(type, values.key_form).parts.filter((name) => values[name].trim() === '')
}

/** Saving a half-filled key would silently leave the stored key unchanged. */
export function isKeyHalfGiven(type: number, values: KeyParts): boolean {
  const missing = missingKeyFields(type, values)
  const { parts } = keyFormOf(type, values.key_form)
  return missing.length < parts.length && missing.some(isPartField)
}

export interface KeyHome {
  readonly type: number
  /** Scheme, host and port that the stored key is sent to. */
  readonly origin: string
}

/**
 * What must be done about the key. `new`: there is none yet · `kept`: the stored one stays unless another is typed · `otherForm`:
 * this type writes its keys in another form · `otherAddress`: the stored one may not be sent to another address · `movesAlong`: it
 * may, because the caller is root.
 */
export type KeyNeed = 'new' | 'kept' | 'otherForm' | 'otherAddress' | 'movesAlong'

/** Whether the stored key may stay, in which case further keys can be added. */
export const mayStay = (need: KeyNeed): boolean => need === 'kept' || need === 'movesAlong'

/** `home` is undefined for a new channel; `origin` is where the form would send the key. The gateway enforces the same rules. */
export function keyNeed(home: KeyHome | undefined, type: number, origin: string, mayMove: boolean): KeyNeed {
  if (home === undefined) return 'new'
  if (!hasSameKeyForm(home.type, type)) return 'otherForm'
  if (home.origin === origin) return 'kept'
  return mayMove ? 'movesAlong' : 'otherAddress'
}

/** Scheme, host and port; empty where type and region decide the address. `fallback` is the type's own address. */
export function originOf(baseUrl: string, fallback: string): string {
  const address = baseUrl.trim() === '' ? fallback : baseUrl.trim()
  const url = URL.canParse(address) ? new URL(address) : undefined
  return url === undefined ? address : `${url.protocol}//${url.host}`
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

/** One key per line, unless the key is a document or has fields of its own. */
export function keyCount(type: number, key: string, keyForm: string): number {
  const isLine = keyFormOf(type, keyForm).parts[0] === 'key' && type !== TYPE.coze
  const lines = key.split('\n').filter((line) => line.trim() !== '').length
  return isLine ? Math.max(1, lines) : 1
}

/**
 * For a new channel: empty creates one channel per key, `one` a single channel with all keys. For a stored one: empty replaces its
 * keys, `append` adds to them.
 */
export const KEY_MODE = { each: '', one: 'one', replace: '', append: 'append' } as const

export function parseObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const parsed: unknown = JSON.parse(text)
    return typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed) ? { ...parsed } : undefined
  } catch {
    return undefined
  }
}

function isPartField(name: ConfigField | PartField | 'key'): name is PartField {
  return PART_FIELDS.some((part) => part === name)
}
