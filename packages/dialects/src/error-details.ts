import { asObject, type JsonObject } from './json-value.ts'

/** Details of a provider's error in addition to its message, in the format of its own dialect. */
export type ErrorDetails =
  | { readonly dialect: 'anthropic-messages'; readonly value: JsonObject }
  /** Only the types in `TELLING`. */
  | { readonly dialect: 'gemini'; readonly value: readonly JsonObject[] }
  /** Azure's `innererror`. */
  | { readonly dialect: 'openai-chat'; readonly value: JsonObject }

/**
 * Types of `google.rpc` details that a client can use, with their members. The omitted ones concern the account (`metadata`
 * contains its project number) or Google's servers (`DebugInfo`).
 */
const TELLING: ReadonlyMap<string, readonly string[]> = new Map([
  ['ErrorInfo', ['reason', 'domain']],
  ['RetryInfo', ['retryDelay']],
  ['QuotaFailure', ['violations']],
  ['PreconditionFailure', ['violations']],
  ['BadRequest', ['fieldViolations']],
  ['LocalizedMessage', ['locale', 'message']],
  ['Help', ['links']],
])

const GOOGLE_TYPE = 'type.googleapis.com/google.rpc.'

/** Maximum JSON characters and levels of details that are passed on. */
const SIZE_LIMIT = 4_096
const DEPTH_LIMIT = 8
const LIST_LIMIT = 32

/** The details in an `error` object; `kind` is the `type` next to it. Undefined if they are missing or exceed the limits. */
export function errorDetails(error: JsonObject | undefined, kind: unknown): ErrorDetails | undefined {
  const found = find(error, kind)
  const isSmall = found !== undefined && isShallow(found.value, DEPTH_LIMIT)
  return isSmall && JSON.stringify(found.value).length <= SIZE_LIMIT ? found : undefined
}

function find(error: JsonObject | undefined, kind: unknown): ErrorDetails | undefined {
  const details = error?.['details']
  if (Array.isArray(details)) {
    const value = (details as readonly unknown[]).slice(0, LIST_LIMIT).flatMap(telling)
    return value.length === 0 ? undefined : { dialect: 'gemini', value }
  }
  const own = asObject(details)
  if (own !== undefined && kind === 'error') return { dialect: 'anthropic-messages', value: own }
  const inner = asObject(error?.['innererror'])
  return inner && { dialect: 'openai-chat', value: inner }
}

function telling(value: unknown): readonly JsonObject[] {
  const detail = asObject(value) ?? {}
  const type = detail['@type']
  if (typeof type !== 'string' || !type.startsWith(GOOGLE_TYPE)) return []
  const members = TELLING.get(type.slice(GOOGLE_TYPE.length))
  if (members === undefined) return []
  return [Object.fromEntries(['@type', ...members].flatMap((name) => (name in detail ? [[name, detail[name]]] : [])))]
}

function isShallow(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return true
  return depth > 0 && Object.values(value).every((each) => isShallow(each, depth - 1))
}

/** Google's `RetryInfo` in milliseconds. */
export function retryDelay(details: ErrorDetails | undefined): number | undefined {
  if (details?.dialect !== 'gemini') return undefined
  const delay = details.value.find((detail) => 'retryDelay' in detail)?.['retryDelay']
  const [, seconds] = typeof delay === 'string' ? (/^(\d{1,9}(?:\.\d{1,9})?)s$/.exec(delay) ?? []) : []
  return seconds === undefined ? undefined : Math.ceil(Number(seconds) * 1_000)
}

/** Only how long to wait: the other details of a rate-limit refusal contain an account's quotas. */
export function waitDetails(details: ErrorDetails | undefined): ErrorDetails | undefined {
  if (details?.dialect !== 'gemini') return undefined
  const value = details.value.filter((detail) => 'retryDelay' in detail)
  return value.length === 0 ? undefined : { dialect: 'gemini', value }
}

/** The field that Google reports as invalid. */
export function fieldAtFault(details: ErrorDetails | undefined): string | undefined {
  if (details?.dialect !== 'gemini') return undefined
  for (const { fieldViolations } of details.value) {
    const [first] = Array.isArray(fieldViolations) ? (fieldViolations as readonly unknown[]) : []
    const field = asObject(first)?.['field']
    if (typeof field === 'string' && field !== '') return field
  }
  return undefined
}

export function mapTexts(details: ErrorDetails, change: (text: string) => string): ErrorDetails {
  return { ...details, value: mapped(details.value, change) } as ErrorDetails
}

function mapped(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value)
  if (Array.isArray(value)) return value.map((each) => mapped(each, change))
  const object = asObject(value)
  if (object === undefined) return value
  return Object.fromEntries(Object.entries(object).map(([name, each]) => [change(name), mapped(each, change)]))
}
