import type { SignedInUser } from '@sluice/contract/signed-in-user'
import { AFTER_SIGN_IN, safeRedirectTarget } from '~/lib/session/redirect-target.ts'

/** Digits of a one-time code. */
const TOTP_LENGTH = 6
/** Longest recovery code that the gateway reads. */
const RECOVERY_LENGTH_MAX = 40

const PASSWORD_SCREEN = '/users/edit'
/** Credentials of a fresh installation, as the family ships them. */
const FIRST_SIGN_IN = { username: 'root', password: '123456' } as const

/** Recognises all forms in which servers of the family ask for the one-time code. */
export function asksForTotp(refusal: { readonly message: string; readonly data: unknown }): boolean {
  const flag = hasTotpFlag(refusal.data) ? refusal.data.totp_required : undefined
  if (flag === true || flag === 'true' || flag === 1) return true
  return refusal.message.toLowerCase().includes('totp')
}

function hasTotpFlag(data: unknown): data is { totp_required: unknown } {
  return typeof data === 'object' && data !== null && 'totp_required' in data
}

/** Removes characters that cannot belong to the code, because apps show the six digits in groups. */
export function typedCode(text: string, recovery: boolean): string {
  return recovery ? text.slice(0, RECOVERY_LENGTH_MAX) : text.replace(/\D/g, '').slice(0, TOTP_LENGTH)
}

/** Name of the text that says why the code cannot be sent; `undefined` if it can. */
export function codeProblem(code: string, recovery: boolean): 'totpRequired' | 'totpLength' | undefined {
  if (code.trim() === '') return 'totpRequired'
  return recovery || code.length === TOTP_LENGTH ? undefined : 'totpLength'
}

export function isWholeCode(code: string, recovery: boolean): boolean {
  return codeProblem(code, recovery) === undefined
}

export function hasWellKnownPassword(
  user: SignedInUser,
  entered: { readonly username: string; readonly password: string },
): boolean {
  if (user.password_change_required === true) return true
  return entered.username === FIRST_SIGN_IN.username && entered.password === FIRST_SIGN_IN.password
}

export function targetAfterSignIn(mustChangePassword: boolean, redirectTo: unknown): string {
  if (mustChangePassword) return PASSWORD_SCREEN
  return safeRedirectTarget(redirectTo) ?? AFTER_SIGN_IN
}
