import { kindOf } from '../kinds/all.ts'
import type { KeyForm } from '../kinds/kind.ts'
import { CONFIG_FIELDS, SECRET_CONFIG_FIELDS } from './field-names.ts'
import { type FieldProblem, problem } from './field-problem.ts'
import { type JsonObject, parseObject, textOf } from './json-object.ts'
import { keyProblem } from './key-forms.ts'

/** Most channels per create call. */
const KEYS_MAX = 500

/**
 * The keys of a create call, one per line, checked, 1 to `max` of them; a key that is a JSON document can span several lines.
 * Without a key, it is joined from the fields of `config` that form one.
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
 * The key of an updated channel; undefined keeps the stored one, as does a blank key (class S33). Fields of `config` named in
 * `changes` (those that differ from the stored ones) replace parts of a joined key. `stored` is undefined when it cannot be
 * decrypted.
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
  if (given !== '' && splitKeys(code, given).length > 1) return problem('key', 'an update accepts only one key')
  return keyProblem(code, next, config) ?? next
}

/** Undefined when no field of `config` forms a key, or the stored key has no parts to replace. */
function joinedKey(code: number, config: JsonObject, stored: string | undefined): string | undefined | FieldProblem {
  const form = joinedForm(code)
  if (form === undefined) return undefined
  const names = form.parts
  const given = names.filter((name) => partOf(config[name]) !== '')
  const before = stored === undefined ? [] : splitKey(code, stored)
  const hasSecret = given.some((name) => SECRETS.has(name))
  if (given.length === 0 || (!hasSecret && before.length === 0)) return undefined
  const parts = names.map((name, place) => partOf(config[name]) || (before[place] ?? ''))
  const missing = names[parts.indexOf('')]
  if (missing !== undefined) return problem(`config.${missing}`, `is required together with ${given.join(' and ')}`)
  // The optional part, a session token, belongs to the access key that it was issued with.
  const token = form.optionalPart !== undefined && !hasSecret ? before.slice(names.length) : []
  return [...parts, ...token].join('|')
}

const SECRETS: ReadonlySet<string> = new Set(SECRET_CONFIG_FIELDS)

/** The form whose parts are all fields of `config`. */
function joinedForm(code: number): KeyForm | undefined {
  const names: readonly string[] = CONFIG_FIELDS
  return kindOf(code)?.keyForms.find(({ parts }) => parts.every((part) => names.includes(part)))
}

/** Empty when the stored key is written in another form. A document as the last part can contain `|` itself. */
function splitKey(code: number, stored: string): readonly string[] {
  const parts = stored.split('|')
  if (parts.length < 3) return []
  return kindOf(code)?.keyDocument === undefined ? parts : [...parts.slice(0, 2), parts.slice(2).join('|')]
}

/** A document can also be given as an object. */
function partOf(value: unknown): string {
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : textOf(value)
}

function splitKeys(code: number, given: string): readonly string[] {
  const keys = given
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
  const isDocument = kindOf(code)?.keyDocument !== undefined && given.includes('{')
  // Documents are pasted with line breaks; only a list of complete documents counts as several keys.
  return isDocument && !keys.every(endsInDocument) ? [given] : keys
}

function endsInDocument(line: string): boolean {
  return parseObject(line.slice(line.indexOf('{'))) !== undefined
}
