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
    // A name like somebody's address would stand in the way of their signing in by it.
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

/**
 * GET as the family calls it; a cross-site request is refused, so no foreign page can send mail. Whoever is signed in has
 * passed the challenge and is not asked again.
 */
export const sendVerificationCode = defineRoute({
  method: 'GET',
  changes: true,
  path: '/api/verification',
  access: 'optional',
  summary:
    'Mail a verification code to an address: for the own account to whoever is signed in, unless purpose is register',
  query: v.object({
    email: emailAddress,
    turnstile,
    /** The code is good for this only. Empty: for changing the own address, or for signing up where nobody is signed in. */
    purpose: v.optional(v.picklist(['register', '']), ''),
  }),
})

/** Answers alike whether anybody has the address. */
export const requestPasswordReset = defineRoute({
  method: 'GET',
  changes: true,
  path: '/api/reset_password',
  access: 'public',
  summary: 'Mail a link for a new password to an address',
  query: v.object({ email: emailAddress }),
})

export const resetPassword = defineRoute({
  method: 'POST',
  path: '/api/user/reset',
  access: 'public',
  summary: 'Set a new password with the token of a mailed link; without one given, a password is made up',
  body: v.object({
    email: emailAddress,
    token: v.pipe(v.string(), v.minLength(1, 'Token is required'), v.maxLength(100)),
    password: v.optional(v.union([v.literal(''), password]), ''),
  }),
  /** The password that was made up; empty when one was given, which is never sent back. */
  data: v.string(),
})
