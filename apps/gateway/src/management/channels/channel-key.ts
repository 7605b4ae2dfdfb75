import type { Refusal } from '@sluice/contract/errors'
import { invalidField } from '../issue-text.ts'

/** Fields of `config` that are credentials. They become part of the sealed key and are stored nowhere else. */
const SECRET_FIELDS = ['ak', 'sk', 'vertex_ai_adc'] as const

const AWS = 33
const VERTEX_AI = 42
const COZE = 34

/** Types whose key is made of several fields joined by `|`, in this order: access keys of AWS, project and credentials of Vertex AI. */
const JOINED_KEYS: Readonly<Record<number, readonly [string, string, string]>> = {
  [AWS]: ['ak', 'sk', 'region'],
  [VERTEX_AI]: ['region', 'vertex_ai_project_id', 'vertex_ai_adc'],
}

const COZE_JWT_FIELDS = [
  'client_type',
  'client_id',
  'coze_www_base',
  'coze_api_base',
  'private_key',
  'public_key_id',
] as const

/** One create call may not make more channels than this. */
const KEYS_MAX = 500

export type Config = Readonly<Record<string, unknown>>

/** Reads a `config` text. What is no JSON object (rows that came from elsewhere) reads as empty. */
export function parseConfig(text: string): Config {
  return parseObject(text) ?? {}
}

/** The text to store and to show: without credentials, empty when nothing is left. */
export function publicConfig(config: Config): string {
  const shown = Object.entries(config).filter(([name]) => !SECRET_FIELDS.some((secret) => secret === name))
  return shown.length === 0 ? '' : JSON.stringify(Object.fromEntries(shown))
}

/** The keys of a create call, one per line; keys that are JSON may have lines of their own. */
export function newKeys(type: number, key: string, config: Config): readonly string[] | Refusal {
  const given = key.trim()
  if (given === '') {
    const joined = joinedKey(type, config, undefined)
    return joined === undefined ? invalidField('key', 'API key is required') : [joined]
  }
  const keys = spansLines(type, given) ? [given] : lines(given)
  if (keys.length > KEYS_MAX) return invalidField('key', `at most ${KEYS_MAX} keys can be added at once`)
  const problem = cozeProblem(type, config, given)
  return problem === undefined ? keys : invalidField('key', problem)
}

/**
 * The key of an updated channel; undefined keeps the stored one, which a blank key asks for (class S33). Parts of a joined
 * key that `changes` names (fields of `config` that differ from the stored ones) are put into it.
 */
export function updatedKey(
  type: number,
  key: string,
  config: Config,
  changes: Config,
  stored: string | undefined,
): string | undefined | Refusal {
  const given = key.trim()
  if (given === '') return joinedKey(type, changes, stored)
  if (!spansLines(type, given) && lines(given).length > 1) return invalidField('key', 'a channel has one key')
  const problem = cozeProblem(type, config, given)
  return problem === undefined ? given : invalidField('key', problem)
}

/** The fields of a config that the stored one does not have with the same value. */
export function configChanges(config: Config, stored: string): Config {
  const before = parseConfig(stored)
  return Object.fromEntries(Object.entries(config).filter(([name, value]) => before[name] !== value))
}

/** Undefined when the type has no joined key, or a part is neither given nor stored. */
function joinedKey(type: number, config: Config, stored: string | undefined): string | undefined {
  const names = JOINED_KEYS[type]
  if (names === undefined) return undefined
  if (stored !== undefined && !names.some((name) => textOf(config[name]) !== '')) return undefined
  const before = splitInThree(stored ?? '')
  const parts = names.map((name, place) => textOf(config[name]) || (before[place] ?? ''))
  return parts.every((part) => part !== '') ? parts.join('|') : undefined
}

/** The last part may hold `|` itself (JSON credentials). */
function splitInThree(joined: string): readonly string[] {
  const [first = '', second = '', ...rest] = joined.split('|')
  return [first, second, rest.join('|')]
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value.trim() : ''
}

/** Credentials in JSON are pasted with their line breaks. */
function spansLines(type: number, key: string): boolean {
  return (type === COZE || type === VERTEX_AI) && key.includes('{')
}

function lines(key: string): readonly string[] {
  return key
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
}

function cozeProblem(type: number, config: Config, key: string): string | undefined {
  if (type !== COZE || config['auth_type'] !== 'oauth_jwt') return undefined
  const parsed = parseObject(key)
  if (parsed === undefined) return 'Invalid JSON format'
  const missing = COZE_JWT_FIELDS.find((field) => textOf(parsed[field]) === '')
  return missing === undefined ? undefined : `Missing required field: ${missing}`
}

function parseObject(text: string): Config | undefined {
  try {
    const parsed: unknown = JSON.parse(text)
    return typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed) ? { ...parsed } : undefined
  } catch {
    return undefined
  }
}
