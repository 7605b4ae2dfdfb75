import * as v from 'valibot'
import type { Translation } from '~/lib/i18n/texts.ts'
import type { en } from '../texts/account-texts.ts'

export type AccountFormValues = v.InferOutput<ReturnType<typeof accountFormSchema>>

export interface EmailRule {
  readonly stored: string
  /** True where the system verifies addresses. */
  readonly verified: boolean
}

export function needsCode(email: string, { stored, verified }: EmailRule): boolean {
  return verified && email.trim() !== '' && email.trim() !== stored
}

/** An email may be missing but not malformed; an empty password keeps the old one; `storedName` may stay, however short. */
export function accountFormSchema(t: Translation<typeof en>, rule: EmailRule, storedName: string) {
  const fields = v.object({
    username: v.pipe(
      v.string(),
      v.trim(),
      v.minLength(1, t.usernameRequired),
      v.check((name) => name.length === 0 || name.length >= 3 || name === storedName, t.usernameShort),
      v.maxLength(30, t.usernameLong),
    ),
    display_name: v.pipe(v.string(), v.trim(), v.maxLength(20, t.displayNameLong)),
    email: v.union(
      [v.literal(''), v.pipe(v.string(), v.trim(), v.email(t.badEmail), v.maxLength(50, t.emailLong))],
      (issue) => (typeof issue.input === 'string' && issue.input.length > 50 ? t.emailLong : t.badEmail),
    ),
    verification_code: v.pipe(v.string(), v.trim()),
    password: v.union(
      [v.literal(''), v.pipe(v.string(), v.minLength(8, t.passwordShort), v.maxBytes(72, t.passwordLong))],
      (issue) => (typeof issue.input === 'string' && issue.input.length < 8 ? t.passwordShort : t.passwordLong),
    ),
  })
  return v.pipe(
    fields,
    v.forward(
      v.partialCheck(
        [['email'], ['verification_code']],
        ({ email, verification_code: code }) => code !== '' || !needsCode(email, rule),
        t.codeRequired,
      ),
      ['verification_code'],
    ),
  )
}

/** Includes the password only when one was entered, and the code only when the address needs one. */
export function accountBody({ password, verification_code, ...rest }: AccountFormValues, rule: EmailRule) {
  return {
    ...rest,
    ...(needsCode(rest.email, rule) && { verification_code }),
    ...(password !== '' && { password }),
  }
}
