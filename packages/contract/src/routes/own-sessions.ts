import * as v from 'valibot'
import { defineRoute } from '../route.ts'
import { unixSeconds } from '../scalars.ts'

export const ownSession = v.object({
  /** The first half of the cookie's digest: identifies the session but gives no access. */
  key: v.string(),
  current: v.boolean(),
  /** At sign-in; empty when unknown. */
  user_agent: v.string(),
  /** At sign-in; empty when unknown. */
  address: v.string(),
  created_time: unixSeconds,
  /** Accurate to the hour, because use is recorded once an hour. */
  last_used_time: unixSeconds,
  /** End of the session unless it is used before then. */
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
