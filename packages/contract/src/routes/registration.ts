import * as v from 'valibot'
import { turnstile } from '../bot-challenge.ts'
import { defineRoute } from '../route.ts'
import { emailAddress, password, username } from '../user.ts'

export const register = defineRoute({
  method: 'POST',
  path: '/api/user/register',
  access: 'public',
  summary: 'Sign up',
  query: v.object({ turnstile }),
  body: v.object({
    // A name equal to another user's address would keep that user from signing in with it.
    username: v.pipe(
      username,
      v.check((name) => !name.includes('@'), 'Username must not contain @'),
    ),
    password,
    email: v.optional(v.union([v.literal(''), emailAddress], 'Valid email is required'), ''),
    verification_code: v.optional(v.pipe(v.string(), v.trim(), v.maxLength(20)), ''),
    aff_code: v.optional(v.pipe(v.string(), v.trim(), v.maxLength(32)), ''),
  }),
})

/** GET, as in the family; cross-site calls are refused, so no foreign page can send mail. The bot challenge is for guests only. */
export const sendVerificationCode = defineRoute({
  method: 'GET',
  changes: true,
  path: '/api/verification',
  access: 'optional',
  summary:
    'Email a verification code to an address, for the caller’s own account if signed in and purpose is not register',
  query: v.object({
    email: emailAddress,
    turnstile,
    /** The only purpose of the code. Empty: to change one's own address or, when not signed in, to sign up. */
    purpose: v.optional(v.picklist(['register', '']), ''),
  }),
})

/** The reply does not reveal whether the address is known. */
export const requestPasswordReset = defineRoute({
  method: 'GET',
  changes: true,
  path: '/api/reset_password',
  access: 'public',
  summary: 'Email a link for setting a new password to an address',
  query: v.object({ email: emailAddress }),
})

export const resetPassword = defineRoute({
  method: 'POST',
  path: '/api/user/reset',
  access: 'public',
  summary: 'Set a new password with the token of a mailed link; if none is given, one is generated',
  body: v.object({
    email: emailAddress,
    token: v.pipe(v.string(), v.minLength(1, 'Token is required'), v.maxLength(100)),
    password: v.optional(v.union([v.literal(''), password]), ''),
  }),
  /** The generated password; empty when the user chose one, which is never sent back. */
  data: v.string(),
})
