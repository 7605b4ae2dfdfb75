import * as v from 'valibot'
import type { Translation } from '../../../lib/i18n/texts.ts'
import type { en } from '../texts/en.ts'

export type AccountFormValues = v.InferOutput<ReturnType<typeof accountFormSchema>>

/** Rules of the own-account form. An email may be missing but not be wrong; an empty password keeps the old one. */
export function accountFormSchema(t: Translation<typeof en>) {
  return v.object({
    username: v.pipe(
      v.string(),
      v.trim(),
      v.minLength(1, t.usernameRequired),
      v.check((name) => name.length === 0 || name.length >= 3, t.usernameShort),
      v.maxLength(30, t.usernameLong),
    ),
    display_name: v.pipe(v.string(), v.trim(), v.maxLength(20, t.displayNameLong)),
    email: v.union([v.literal(''), v.pipe(v.string(), v.trim(), v.email(t.badEmail))], t.badEmail),
    password: v.union(
      [v.literal(''), v.pipe(v.string(), v.minLength(8, t.passwordShort), v.maxBytes(72, t.passwordLong))],
      (issue) => (typeof issue.input === 'string' && issue.input.length < 8 ? t.passwordShort : t.passwordLong),
    ),
  })
}

/** Body of the update: the password only when one was entered. */
export function accountBody({ password, ...rest }: AccountFormValues) {
  return password === '' ? rest : { ...rest, password }
}
