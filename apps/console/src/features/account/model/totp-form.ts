import * as v from 'valibot'
import type { Translation } from '~/lib/i18n/texts.ts'
import type { en } from '../texts/sign-in-en.ts'

type Texts = Pick<Translation<typeof en>, 'badCode' | 'codeRequired'>

/** A code of the authenticator app: exactly six digits. Spaces, which some apps show, are removed. */
export function appCode(t: Texts) {
  return v.pipe(
    v.string(),
    v.transform((text) => text.replaceAll(/\s/g, '')),
    v.regex(/^\d{6}$/, t.badCode),
  )
}

/** What disables two-factor sign-in: a code of the app, or a recovery code. */
export function disablingCode(t: Texts) {
  return v.pipe(v.string(), v.trim(), v.minLength(1, t.codeRequired), v.maxLength(40, t.badCode))
}

/** A secret in groups of four, as people type it. */
export function grouped(secret: string): string {
  return secret.replaceAll(/(.{4})(?=.)/g, '$1 ')
}
