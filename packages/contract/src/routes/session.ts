import * as v from 'valibot'
import { turnstile } from '../bot-challenge.ts'
import { defineRoute } from '../route.ts'
import { signedInUser } from '../signed-in-user.ts'

export const login = defineRoute({
  method: 'POST',
  path: '/api/user/login',
  access: 'public',
  summary: 'Sign in with username (or email) and password',
  query: v.object({ turnstile }),
  body: v.object({
    username: v.pipe(v.string(), v.minLength(1, 'Username is required'), v.maxLength(100)),
    password: v.pipe(v.string(), v.minLength(1, 'Password is required'), v.maxLength(1_000)),
    /** Six digits or a recovery code; asked for by a refusal with `data.totp_required`. */
    totp_code: v.optional(v.pipe(v.string(), v.trim(), v.maxLength(40)), ''),
  }),
  data: signedInUser,
})

export const loginByLink = defineRoute({
  method: 'POST',
  path: '/api/user/login/link',
  access: 'public',
  summary: 'Sign in as root, who has no password yet, with the one-time link printed at startup, on the same machine',
  body: v.object({
    /** The part of the link after `#once=`. */
    token: v.pipe(v.string(), v.minLength(1, 'Token is required'), v.maxLength(100)),
    totp_code: v.optional(v.pipe(v.string(), v.trim(), v.maxLength(40)), ''),
  }),
  data: signedInUser,
})

/** GET, for compatibility with the family; cross-site requests are refused, so no foreign page can sign a user out. */
export const logout = defineRoute({
  method: 'GET',
  changes: true,
  path: '/api/user/logout',
  access: 'public',
  summary: 'End the session',
})
