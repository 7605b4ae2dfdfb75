import { type FieldProblem, problem } from './field-problem.ts'
import { type JsonObject, parseObject, textOf } from './json-object.ts'
import { COZE, keyProblem, VERTEX_AI } from './key-forms.ts'

const AWS = 33

/** Types whose key is made of several fields of `config` joined by `|`, in this order. */
const JOINED_KEYS: Readonly<Record<number, readonly [string, string, string]>> = {
  [AWS]: ['ak', 'sk', 'region'],
  [VERTEX_AI]: ['region', 'vertex_ai_project_id', 'vertex_ai_adc'],
}

/** Fields of `config` that are credentials. They become part of the sealed key and are stored nowhere else. */
export const SECRET_CONFIG_FIELDS: readonly string[] = ['ak', 'sk', 'vertex_ai_adc']

/** One create call may not make more channels than this. */
const KEYS_MAX = 500

/**
 * The keys of a create call, one per line, at least one, at most `max`, and each checked; a key that is a JSON document may
 * have lines of its own. Without a key, the fields of `config` that make one are joined.
 */
export function newKeys(
  code: number,
  key: string,
  config: JsonObject,
  max = KEYS_MAX,
): readonly string[] | FieldProblem {
  const given = key.trim()
  if (given === '') {
    const joined = joinedKey(code, config, undefined)
    if (joined === undefined) return problem('key', 'API key is required')
    return typeof joined === 'string' ? (keyProblem(code, joined, config) ?? [joined]) : joined
  }
  const keys = splitKeys(code, given)
  if (keys.length > max) return problem('key', `at most ${max} keys can be added at once`)
  for (const [index, one] of keys.entries()) {
    const found = keyProblem(code, one, config)
    if (found !== undefined) return keys.length === 1 ? found : problem('key', `key ${index + 1} ${found.rule}`)
  }
  return keys
}

/**
 * The key of an updated channel; undefined keeps the stored one, which a blank key asks for (class S33). Parts of a joined
 * key that `changes` names (fields of `config` that differ from the stored ones) are put into it. `stored` is undefined
 * when it cannot be opened.
 */
export function updatedKey(
  code: number,
  key: string,
  config: JsonObject,
  changes: JsonObject,
  stored: string | undefined,
): string | undefined | FieldProblem {
  const given = key.trim()
  const next = given === '' ? joinedKey(code, changes, stored) : given
  if (typeof next !== 'string') return next
  if (given !== '' && splitKeys(code, given).length > 1) return problem('key', 'a channel has one key')
  return keyProblem(code, next, config) ?? next
}

/** Undefined when no field of `config` makes a key, or the stored key has no parts to put them into. */
function joinedKey(code: number, config: JsonObject, stored: string | undefined): string | undefined | FieldProblem {
  const names = JOINED_KEYS[code]
  if (names === undefined) return undefined
  const given = names.filter((name) => partOf(config[name]) !== '')
  const before = stored === undefined ? [] : splitKey(code, stored)
  const hasSecret = given.some((name) => SECRET_CONFIG_FIELDS.includes(name))
  if (given.length === 0 || (!hasSecret && before.length === 0)) return undefined
  const parts = names.map((name, place) => partOf(config[name]) || (before[place] ?? ''))
  const missing = names[parts.indexOf('')]
  if (missing !== undefined) return problem(`config.${missing}`, `is required together with ${given.join(' and ')}`)
  // A session token belongs to the access key that it came with.
  const token = code === AWS && !hasSecret ? before.slice(3) : []
  return [...parts, ...token].join('|')
}

/** The parts of a stored key; none when it is written in another way. The last part of Vertex AI may hold `|` itself. */
function splitKey(code: number, stored: string): readonly string[] {
  const parts = stored.split('|')
  if (parts.length < 3) return []
  return code === VERTEX_AI ? [...parts.slice(0, 2), parts.slice(2).join('|')] : parts
}

/** A document may be given as the object it is. */
function partOf(value: unknown): string {
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : textOf(value)
}

function splitKeys(code: number, given: string): readonly string[] {
  const keys = given
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
  const isDocument = (code === COZE || code === VERTEX_AI) && given.includes('{')
  // Documents are pasted with their line breaks; only a list of whole ones is several keys.
  return isDocument && !keys.every(endsInDocument) ? [given] : keys
}

function endsInDocument(line: string): boolean {
  return parseObject(line.slice(line.indexOf('{'))) !== undefined
}
