import { type FieldProblem, maskedProblem, problem } from './field-problem.ts'
import { isObject, type JsonObject } from './json-object.ts'
import { PROJECT, REGION } from './key-forms.ts'
import { toolingProblem } from './tooling.ts'

const CLOUDFLARE = 37
const TEXT_MAX = 500
const DOCUMENT_MAX = 20_000
const HEADER_SAFE = /^[ -~]+$/

interface ConfigField {
  /** Rule that a text breaks; undefined when it breaks none. */
  readonly problem: (text: string, code: number) => string | undefined
  readonly secret?: true
  /** Types that a secret is meant for. On any other it would be lost, so it is refused there. */
  readonly codes?: readonly number[]
}

const choice = (...values: readonly string[]): ConfigField => ({
  problem: (text) => (values.includes(text) ? undefined : `must be ${values.join(' or ')}`),
})
const pattern = (accepts: RegExp, rule: string): ConfigField => ({
  problem: (text) => (accepts.test(text) ? undefined : rule),
})
/** Account ids of Cloudflare are part of a path. */
const USER_ID: ConfigField = {
  problem: (text, code) => {
    if (code === CLOUDFLARE) return /^[\w-]{1,64}$/.test(text) ? undefined : 'must be the id of a Cloudflare account'
    return HEADER_SAFE.test(text) ? undefined : 'may hold printable ASCII characters only'
  },
}
const ACCESS_KEY: ConfigField = {
  ...pattern(/^[!-{}~]+$/, 'may hold printable ASCII characters without spaces and | only'),
  secret: true,
  codes: [33],
}

/** Every member that a channel's `config` may have, and what it may hold. */
const CONFIG_FIELDS: Readonly<Record<string, ConfigField>> = {
  region: pattern(REGION, 'must be a region such as us-east-1'),
  ak: ACCESS_KEY,
  sk: ACCESS_KEY,
  user_id: USER_ID,
  vertex_ai_project_id: pattern(PROJECT, 'must be the id of a project'),
  // Its content is checked as part of the key.
  vertex_ai_adc: { problem: () => undefined, secret: true, codes: [42] },
  auth_type: choice('personal_access_token', 'oauth_jwt'),
  api_format: choice('chat_completion', 'response'),
  api_version: pattern(/^[\w.-]{1,40}$/, 'must be an API version'),
  library_id: pattern(/^[\w-]{1,100}$/, 'must be the id of a library'),
  plugin: pattern(HEADER_SAFE, 'may hold printable ASCII characters only'),
}

/** A config without the members that hold nothing. */
export function withoutBlanks(config: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(config).filter(([, value]) => !isBlank(value)))
}

function isBlank(value: unknown): boolean {
  if (value === null || value === undefined) return true
  if (typeof value === 'string') return value.trim() === ''
  return typeof value === 'object' && Object.keys(value).length === 0
}

/** What is wrong with the members of a config without blanks. */
export function configProblems(code: number, config: JsonObject): readonly FieldProblem[] {
  return Object.entries(config).flatMap(([name, value]) => memberProblem(code, name, value) ?? [])
}

function memberProblem(code: number, name: string, value: unknown): FieldProblem | undefined {
  const place = `config.${name.slice(0, 40)}`
  if (name === 'tooling') {
    const rule = toolingProblem(value)
    return rule === undefined ? undefined : problem(place, rule)
  }
  const field = Object.hasOwn(CONFIG_FIELDS, name) ? CONFIG_FIELDS[name] : undefined
  if (field === undefined) return problem(place, 'is not a setting of channels')
  if (field.codes?.includes(code) === false) return problem(place, 'does not belong to channels of this type')
  const text = name === 'vertex_ai_adc' && isObject(value) ? JSON.stringify(value) : value
  if (typeof text !== 'string') return problem(place, 'must be a text')
  if (text.length > (field.secret ? DOCUMENT_MAX : TEXT_MAX)) return problem(place, 'is too long')
  const masked = field.secret ? maskedProblem(place, text) : undefined
  if (masked !== undefined) return masked
  const rule = field.problem(text.trim(), code)
  return rule === undefined ? undefined : problem(place, rule)
}

/** Members that a type cannot do without. `key` is undefined when it cannot be opened. */
export function missingConfigProblem(
  code: number,
  { config, baseUrl, key }: { readonly config: JsonObject; readonly baseUrl: string; readonly key: string | undefined },
): FieldProblem | undefined {
  if (code === 33 && key !== undefined && !key.includes('|') && config['region'] === undefined) {
    return problem('config.region', 'is required with a Bedrock API key')
  }
  // A gateway of Cloudflare's, or an address with the account in it, needs no account id beside it.
  const namesAccount = baseUrl !== '' && !/^https:\/\/api\.cloudflare\.com\/?$/i.test(baseUrl)
  if (code === CLOUDFLARE && config['user_id'] === undefined && !namesAccount) {
    return problem('config.user_id', 'is required: the id of the Cloudflare account')
  }
  return undefined
}
