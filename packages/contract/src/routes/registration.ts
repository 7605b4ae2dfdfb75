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
    // A name equal to another user's address would prevent that user from signing in with it.
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
 * GET, because that is how the family calls it; a cross-site request is refused, so no foreign page can send mail. Signed-in users
 * have already passed the bot challenge and are not asked again.
 */
export const sendVerificationCode = defineRoute({
  method: 'GET',
  changes: true,
  path: '/api/verification',
  access: 'optional',
  summary:
    'Mail a verification code to an address, for the caller’s own account if signed in and purpose is not register',
  query: v.object({
    email: emailAddress,
    turnstile,
    /**
     * The only purpose for which the code is valid. Empty: for changing one's own address, or for signing up when not signed in.
     */
    purpose: v.optional(v.picklist(['register', '']), ''),
  }),
})

/** Replies the same whether or not the address is known. */
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
  summary: 'Set a new password with the token of a mailed link; if none is given, one is generated',
  body: v.object({
    email: emailAddress,
    token: v.pipe(v.string(), v.minLength(1, 'Token is required'), v.maxLength(100)),
    password: v.optional(v.union([v.literal(''), password]), ''),
  }),
  /** The generated password; empty when one was given, which is never sent back. */
  data: v.string(),
})
