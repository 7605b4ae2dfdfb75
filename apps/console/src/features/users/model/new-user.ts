import * as v from 'valibot'
import type { Translation } from '~/lib/i18n/texts.ts'
import type { en } from '../texts/en.ts'

export const SHORTEST_PASSWORD = 6
const LONGEST_PASSWORD_BYTES = 72

export interface NewUser {
  username: string
  password: string
  display_name: string
}

export const NOBODY: NewUser = { username: '', password: '', display_name: '' }

/** Rules of the dialog in the visitor's language. A missing display name is replaced by the username. */
export function newUserSchema(t: Translation<typeof en>): v.GenericSchema<NewUser, NewUser> {
  const username = v.pipe(v.string(), v.trim(), v.minLength(1, t.usernameRequired), v.maxLength(30, t.usernameLong))
  return v.pipe(
    v.object({
      username,
      password: v.pipe(
        v.string(),
        v.minLength(SHORTEST_PASSWORD, t.passwordShort(String(SHORTEST_PASSWORD))),
        v.maxBytes(LONGEST_PASSWORD_BYTES, t.passwordLong),
      ),
      display_name: v.pipe(v.string(), v.trim(), v.maxLength(20, t.displayNameLong)),
    }),
    v.transform((user) => ({ ...user, display_name: user.display_name || user.username.slice(0, 20) })),
  )
}
