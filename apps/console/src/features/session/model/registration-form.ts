import * as v from 'valibot'
import type { Translation } from '~/lib/i18n/texts.ts'
import type { accessEn } from '../texts/access-texts.ts'
import { PASSWORD_MIN } from './password-strength.ts'

type Texts = Translation<typeof accessEn>

/** The gateway reads only 72 bytes of a password. */
const PASSWORD_BYTES_MAX = 72
/** Enough of an address to try it; whether it is valid shows when the mail arrives. */
const SIMPLE_ADDRESS = /^[^\s@]+@[^\s@.]+\.[^\s@]+$/

const newPassword = (t: Texts) =>
  v.pipe(v.string(), v.minLength(PASSWORD_MIN, t.passwordShort), v.maxBytes(PASSWORD_BYTES_MAX, t.passwordLong))
const email = (t: Texts) => v.pipe(v.string(), v.trim(), v.email(t.badEmail))

/** Whether a code may be sent there. */
export function isSimpleAddress(text: string): boolean {
  return SIMPLE_ADDRESS.test(text.trim())
}

export type RegistrationValues = v.InferOutput<ReturnType<typeof registrationSchema>>

/** Rules of the registration form. `withEmail` false leaves out address and code. */
export function registrationSchema(t: Texts, withEmail: boolean) {
  return v.pipe(
    v.object({
      username: v.pipe(
        v.string(),
        v.trim(),
        v.minLength(3, t.usernameShort),
        v.maxLength(30, t.usernameLong),
        v.excludes('@', t.usernameAt),
      ),
      password: newPassword(t),
      password2: v.pipe(v.string(), v.minLength(PASSWORD_MIN, t.password2Short)),
      email: withEmail ? email(t) : v.string(),
      verification_code: withEmail ? v.pipe(v.string(), v.trim(), v.minLength(1, t.verificationRequired)) : v.string(),
      aff_code: v.pipe(v.string(), v.trim()),
    }),
    v.forward(v.partialCheck([['password'], ['password2']], same, t.passwordsDiffer), ['password2']),
  )
}

/** Body of the registration. Fields that the form does not show are not sent; an invitation code only if there is one. */
export function registrationBody(values: RegistrationValues, withEmail: boolean) {
  const { username, password, email: address, verification_code, aff_code } = values
  return {
    username,
    password,
    ...(withEmail && { email: address, verification_code }),
    ...(aff_code !== '' && { aff_code }),
  }
}

export function resetRequestSchema(t: Texts) {
  return v.object({ email: email(t) })
}

export function newPasswordSchema(t: Texts) {
  return v.pipe(
    v.object({
      password: newPassword(t),
      password2: v.pipe(v.string(), v.minLength(PASSWORD_MIN, t.password2Short)),
    }),
    v.forward(v.partialCheck([['password'], ['password2']], same, t.passwordsDiffer), ['password2']),
  )
}

/** Reported at the confirmation field. */
const same = ({ password, password2 }: { readonly password: string; readonly password2: string }) =>
  password === password2
