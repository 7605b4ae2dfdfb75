import * as v from 'valibot'
import { defineRoute } from '../route.ts'
import { signedInUser } from '../signed-in-user.ts'

const code = v.pipe(v.string(), v.maxLength(4_000))
/** Six digits or a recovery code; asked for by a refusal with `data.totp_required`. */
const totpCode = v.optional(v.pipe(v.string(), v.trim(), v.maxLength(40)), '')
const affCode = v.optional(v.pipe(v.string(), v.trim(), v.maxLength(32)), '')

/**
 * Parameters of the provider's redirect to the console. The state was issued to this browser, and works only once. When a second
 * step is required, the same call is repeated with `totp_code`.
 */
const callback = v.object({
  code: v.optional(code, ''),
  state: v.optional(v.pipe(v.string(), v.maxLength(4_000)), ''),
  iss: v.optional(v.pipe(v.string(), v.maxLength(2_000)), ''),
  totp_code: totpCode,
})

/** Absent when an identity was bound to the signed-in account; `message` is then `bind`. */
const signedIn = v.optional(signedInUser)

export const oauthState = defineRoute({
  method: 'GET',
  changes: true,
  path: '/api/oauth/state',
  access: 'public',
  summary:
    'Start signing in with a provider, or linking it to the signed-in account: a state that works once, within 10 minutes',
  query: v.object({
    /** The state is valid for this provider only. Required for `oidc`. */
    provider: v.optional(v.picklist(['github', 'lark', 'oidc', '']), ''),
    aff: affCode,
  }),
  data: v.string(),
  extra: v.object({
    /** The provider's page to open; empty when the query names no provider. If absent, the console builds it from the settings. */
    authorization_url: v.string(),
  }),
})
export const oauthGitHub = defineRoute({
  method: 'GET',
  changes: true,
  path: '/api/oauth/github',
  access: 'public',
  summary: 'Finish signing in with GitHub, or linking it',
  query: callback,
  data: signedIn,
})
export const oauthLark = defineRoute({
  method: 'GET',
  changes: true,
  path: '/api/oauth/lark',
  access: 'public',
  summary: 'Finish signing in with Lark, or linking it',
  query: callback,
  data: signedIn,
})
export const oauthOidc = defineRoute({
  method: 'GET',
  changes: true,
  path: '/api/oauth/oidc',
  access: 'public',
  summary: 'Finish signing in with the OpenID Connect provider, or linking it',
  query: callback,
  data: signedIn,
})
export const oauthWeChat = defineRoute({
  method: 'GET',
  changes: true,
  path: '/api/oauth/wechat',
  access: 'public',
  summary: 'Sign in with the code sent by the WeChat account',
  query: v.object({ code: v.pipe(v.string(), v.trim(), v.maxLength(100)), aff: affCode, totp_code: totpCode }),
  data: signedIn,
})
export const unbindIdentity = defineRoute({
  method: 'DELETE',
  path: '/api/user/identity',
  access: 'account.own',
  summary: 'Unlink a provider’s account, unless it is the only way to sign in',
  query: v.object({ provider: v.picklist(['github', 'lark', 'oidc', 'wechat']) }),
})
export const bindWeChat = defineRoute({
  method: 'GET',
  changes: true,
  path: '/api/oauth/wechat/bind',
  access: 'account.own',
  summary: 'Link a WeChat identity to the signed-in account',
  query: v.object({ code: v.pipe(v.string(), v.trim(), v.maxLength(100)) }),
})
