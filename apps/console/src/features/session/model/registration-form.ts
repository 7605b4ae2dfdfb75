import * as v from 'valibot'
import type { Translation } from '~/lib/i18n/texts.ts'
import type { accessEn } from '../texts/access-texts.ts'

type Texts = Translation<typeof accessEn>

/** The gateway reads only 72 bytes of a password. */
const PASSWORD_BYTES_MAX = 72
/** Enough of an address to try it; only an arriving mail proves that it is valid. */
const SIMPLE_ADDRESS = /^[^\s@]+@[^\s@.]+\.[^\s@]+$/

const newPassword = (t: Texts) =>
  v.pipe(v.string(), v.minLength(PASSWORD_MIN, t.passwordShort), v.maxBytes(PASSWORD_BYTES_MAX, t.passwordLong))
const email = (t: Texts) => v.pipe(v.string(), v.trim(), v.email(t.badEmail))

export function isSimpleAddress(text: string): boolean {
  return SIMPLE_ADDRESS.test(text.trim())
}

export type RegistrationValues = v.InferOutput<ReturnType<typeof registrationSchema>>

/** Without `withEmail`, leaves out address and code. */
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

/** Leaves out fields that the form does not show, and an empty invitation code. */
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

export type Strength = 'short' | 'weak' | 'fair' | 'strong'

const PASSWORD_MIN = 8

/** Words that guessers try first, and their usual variations. */
const COMMON = [
  'password',
  'passw0rd',
  'qwerty',
  'letmein',
  'welcome',
  'admin',
  'iloveyou',
  'abc123',
  '12345678',
  '11111111',
]
/** Minimum bits of guessing effort for each strength. */
const FAIR_BITS = 45
const STRONG_BITS = 65

/**
 * A rough measure, for a hint and never for a refusal: characters that add information, times what their character classes offer.
 * `known` are words that a guesser knows about the person, such as the username.
 */
export function passwordStrength(password: string, known: readonly string[]): Strength {
  if (password.length < PASSWORD_MIN) return 'short'
  const lower = password.toLowerCase()
  const guessed = [...COMMON, ...known.map((word) => word.toLowerCase()).filter((word) => word.length >= 3)]
  const rest = guessed.reduce((text, word) => text.replaceAll(word, '·'), lower)
  const bits = newCharacters(rest) * Math.log2(alphabetOf(password))
  return bits >= STRONG_BITS ? 'strong' : bits >= FAIR_BITS ? 'fair' : 'weak'
}

/** Characters that neither repeat nor continue the previous one (`aaa`, `123`, `cba`). */
function newCharacters(text: string): number {
  const codes = Array.from({ length: text.length }, (_, index) => text.charCodeAt(index))
  return codes.filter((code, index) => Math.abs(code - (codes[index - 1] ?? Number.NaN)) > 1 || index === 0).length
}

/** Total number of characters in the character classes of the password. */
function alphabetOf(password: string): number {
  const kinds: ReadonlyArray<readonly [RegExp, number]> = [
    [/[a-z]/, 26],
    [/[A-Z]/, 26],
    [/\d/, 10],
    [/[ -/:-@[-`{-~]/, 33],
    [/[^ -~]/, 100],
  ]
  return kinds.reduce((sum, [kind, size]) => sum + (kind.test(password) ? size : 0), 0)
}
