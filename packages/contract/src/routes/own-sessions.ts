import * as v from 'valibot'
import { defineRoute } from '../route.ts'
import { unixSeconds } from '../scalars.ts'

/** A browser that is signed in. */
export const ownSession = v.object({
  /** Identifies the session but gives no access: the first half of the digest of its cookie. */
  key: v.string(),
  /** True for the session that makes the request. */
  current: v.boolean(),
  /** The browser's user agent at sign-in; empty when unknown. */
  user_agent: v.string(),
  /** Address from which it signed in; empty when unknown. */
  address: v.string(),
  created_time: unixSeconds,
  /** Accurate to the hour: use is recorded once an hour. */
  last_used_time: unixSeconds,
  /** When it ends, unless it is used before then. */
  expires_time: unixSeconds,
})
export type OwnSession = v.InferOutput<typeof ownSession>

export const listOwnSessions = defineRoute({
  method: 'GET',
  changes: false,
  path: '/api/user/session',
  access: 'account.own',
  summary: 'Where the account is signed in, latest sign-in first',
  data: v.array(ownSession),
})
export const endOwnSession = defineRoute({
  method: 'DELETE',
  path: '/api/user/session/:key',
  access: 'account.own',
  params: { key: '[0-9a-f]{32}' },
  summary: 'Sign out another session',
})
export const endOtherSessions = defineRoute({
  method: 'DELETE',
  path: '/api/user/session',
  access: 'account.own',
  summary: 'Sign out all other sessions; data is the number of sessions ended',
  data: v.number(),
})
