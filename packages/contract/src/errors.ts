import { ACCOUNT_ERRORS } from './errors/account-errors.ts'
import { CHANNEL_ERRORS } from './errors/channel-errors.ts'
import { CONFIGURATION_ERRORS } from './errors/configuration-errors.ts'
import { IMPORT_ERRORS } from './errors/import-errors.ts'
import { KEY_ERRORS } from './errors/key-errors.ts'
import { MANAGEMENT_ERRORS } from './errors/management-errors.ts'
import { PROVIDER_SIGN_IN_ERRORS } from './errors/provider-sign-in-errors.ts'
import { QUOTA_ERRORS } from './errors/quota-errors.ts'
import { REQUEST_ERRORS } from './errors/request-errors.ts'
import { STORED_OBJECT_ERRORS } from './errors/stored-object-errors.ts'
import { UPSTREAM_ERRORS } from './errors/upstream-errors.ts'

export const ERRORS = {
  ...REQUEST_ERRORS,
  ...KEY_ERRORS,
  ...QUOTA_ERRORS,
  ...UPSTREAM_ERRORS,
  ...STORED_OBJECT_ERRORS,
  ...ACCOUNT_ERRORS,
  ...PROVIDER_SIGN_IN_ERRORS,
  ...CHANNEL_ERRORS,
  ...CONFIGURATION_ERRORS,
  ...IMPORT_ERRORS,
  ...MANAGEMENT_ERRORS,
} as const

export type ErrorCode = keyof typeof ERRORS

export interface Refusal {
  readonly code: ErrorCode
  readonly params?: Readonly<Record<string, string | number>>
  /** The request field at fault, as the caller named it. */
  readonly field?: string
  /** Seconds until a retry makes sense. */
  readonly retryAfter?: number
  /** `data` of the envelope, which tells the console what to ask for next. */
  readonly data?: Readonly<Record<string, true>>
}

export function isRefusal<Value extends object>(value: Value): value is Extract<Value, Pick<Refusal, 'code'>> {
  return 'code' in value
}

export function refusalText({ code, params }: Refusal): string {
  return withParams(ERRORS[code].text, params)
}

/** Fills in `{name}` placeholders; one without a value stays. */
export function withParams(text: string, params: Refusal['params'] = {}): string {
  return text.replace(/\{(\w+)\}/g, (place, name: string) => String(params[name] ?? place))
}
