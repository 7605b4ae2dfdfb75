import type { ChannelSetup } from '../channel-setup.ts'
import { RATIO_RULE } from '../credentials/caller-credentials.ts'
import { kindOf } from '../kinds/all.ts'
import type { ConfigDraft, ConfigRule, ProviderKind } from '../kinds/kind.ts'
import { vendorOf } from '../kinds/vendor-hosts.ts'
import { CONFIG_CHOICES } from './field-names.ts'
import { type FieldProblem, maskedProblem, problem, PROJECT, REGION } from './field-problem.ts'
import { isObject, type JsonObject } from './json-object.ts'
import { toolingProblem } from './tooling.ts'

/** Values of `config.websocket`; if absent, the kind and the address decide. */
const SOCKET_CHOICES = ['on', 'off'] as const

const TEXT_MAX = 500
const DOCUMENT_MAX = 20_000
const HEADER_SAFE = /^[ -~]+$/

interface Member extends ConfigRule {
  /** Part of a key. Refused on kinds whose keys lack this part, because it would be lost there. */
  readonly secret?: true
}

const choice = (values: readonly string[]): Member => ({
  accepts: { test: (text) => values.includes(text) },
  rule: `must be ${values.join(' or ')}`,
})
const ACCESS_KEY: Member = {
  accepts: /^[!-{}~]+$/,
  rule: 'may contain only printable ASCII characters without spaces and |',
  secret: true,
}
const TEXT: Member = { accepts: HEADER_SAFE, rule: 'may contain only printable ASCII characters' }

/** Every possible member of a channel's `config`, and its allowed values unless the kind has a rule of its own. */
const MEMBERS: Readonly<Record<string, Member>> = {
  region: { accepts: REGION, rule: 'must be a region such as us-east-1' },
  ak: ACCESS_KEY,
  sk: ACCESS_KEY,
  user_id: TEXT,
  vertex_ai_project_id: { accepts: PROJECT, rule: 'must be a project id' },
  // Its content is checked as part of the key.
  vertex_ai_adc: { accepts: /(?:)/, rule: '', secret: true },
  auth_type: choice(CONFIG_CHOICES.auth_type),
  api_format: choice(CONFIG_CHOICES.api_format),
  api_version: { accepts: /^[\w.-]{1,40}$/, rule: 'must be an API version' },
  library_id: { accepts: /^[\w-]{1,100}$/, rule: 'must be a library id' },
  plugin: TEXT,
  credentials: choice(CONFIG_CHOICES.credentials),
  websocket: choice(SOCKET_CHOICES),
  caller_ratio: { accepts: RATIO_RULE, rule: 'must be a number from 0 to 999 with at most six decimals' },
}

export function withoutBlanks(config: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(config).filter(([, value]) => !isBlank(value)))
}

function isBlank(value: unknown): boolean {
  if (value === null || value === undefined) return true
  if (typeof value === 'string') return value.trim() === ''
  return typeof value === 'object' && Object.keys(value).length === 0
}

/** `config` must have no blank members. */
export function configProblems(code: number, config: JsonObject): readonly FieldProblem[] {
  const kind = kindOf(code)
  return Object.entries(config).flatMap(([name, value]) => memberProblem(kind, name, value) ?? [])
}

function memberProblem(kind: ProviderKind | undefined, name: string, value: unknown): FieldProblem | undefined {
  const place = `config.${name.slice(0, 40)}`
  if (name === 'tooling') {
    const rule = toolingProblem(value)
    return rule === undefined ? undefined : problem(place, rule)
  }
  const member = Object.hasOwn(MEMBERS, name) ? MEMBERS[name] : undefined
  if (member === undefined) return problem(place, 'is not a channel setting')
  if (member.secret && !isKeyPart(kind, name)) return problem(place, 'does not belong to channels of this type')
  const text = name === 'vertex_ai_adc' && isObject(value) ? JSON.stringify(value) : value
  if (typeof text !== 'string') return problem(place, 'must be text')
  if (text.length > (member.secret ? DOCUMENT_MAX : TEXT_MAX)) return problem(place, 'is too long')
  const masked = member.secret ? maskedProblem(place, text) : undefined
  if (masked !== undefined) return masked
  if (
    name === 'credentials' &&
    text.trim() !== CONFIG_CHOICES.credentials[0] &&
    kind &&
    vendorOf(kind.code) === undefined
  )
    return problem(place, 'must be own: channels of this type cannot use callers’ keys')
  const own: Readonly<Partial<Record<string, ConfigRule>>> = kind?.configRules ?? {}
  const { accepts, rule } = own[name] ?? member
  return accepts.test(text.trim()) ? undefined : problem(place, rule)
}

function isKeyPart(kind: ProviderKind | undefined, name: string): boolean {
  return kind?.keyForms.some(({ parts }) => parts.some((part) => part === name)) === true
}

export function missingConfigProblem(code: number, draft: ConfigDraft): FieldProblem | undefined {
  return kindOf(code)?.missingConfig?.(draft)
}

/** A compatible server, or a proxy in front of a vendor, may offer no websocket, so an administrator sets it for these. */
export function offersSocket({ kind, config }: Pick<ChannelSetup, 'kind' | 'config'>, origin: string): boolean {
  const chosen = SOCKET_CHOICES.find((choice) => choice === config['websocket'])
  if (chosen !== undefined) return chosen === 'on'
  return kind.offersSocket === true && vendorOf(kind.code)?.origins.includes(origin) === true
}
