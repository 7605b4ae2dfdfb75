import * as v from 'valibot'
import { usableGroups } from '../groups.ts'
import { defineRoute } from '../route.ts'
import { emailAddress, ownUser, selfUpdate } from '../user.ts'

export const self = defineRoute({
  method: 'GET',
  changes: false,
  path: '/api/user/self',
  access: 'account.own',
  summary: 'The signed-in account',
  data: ownUser,
})
export const updateSelf = defineRoute({
  method: 'PUT',
  path: '/api/user/self',
  access: 'account.own',
  summary:
    'Change one’s own name, email or password; a new email requires identity confirmation unless the sign-in is recent',
  body: selfUpdate,
})
const models = { method: 'GET', changes: false, access: 'account.own', data: v.array(v.string()) } as const
export const availableModels = defineRoute({
  ...models,
  path: '/api/user/available_models',
  summary: 'Models that the account’s group can reach, or the groups given in the query, sorted',
  /** Comma-separated; groups that the account cannot use are ignored. Blank for the account's own group. */
  query: v.object({ groups: v.optional(v.pipe(v.string(), v.maxLength(400)), '') }),
})
export const modelsOfUser = defineRoute({
  ...models,
  path: '/api/user/models',
  summary: 'Models that any of the account’s groups can reach, under New API’s path; sorted',
})
export const ownGroups = defineRoute({
  method: 'GET',
  changes: false,
  path: '/api/user/self/groups',
  access: 'account.own',
  summary: 'The groups that the account can choose for its tokens, with the ratio of each',
  data: usableGroups,
})
export const groupsToUse = defineRoute({
  method: 'GET',
  changes: false,
  path: '/api/user/groups',
  access: 'optional',
  summary: 'The same; for guests, the groups that everyone can use',
  data: usableGroups,
})

/** Refused for root, who must stay reachable. */
export const deleteSelf = defineRoute({
  method: 'DELETE',
  path: '/api/user/self',
  access: 'account.own',
  summary: 'Delete one’s own account; tokens stop working at once',
})

/** GET, for compatibility with the family. */
export const renewAccessToken = defineRoute({
  method: 'GET',
  changes: true,
  path: '/api/user/token',
  access: 'account.own',
  summary: 'Create a new access token for this API; the previous one stops working. It is shown only once',
  data: v.string(),
})
export const invitationCode = defineRoute({
  method: 'GET',
  changes: true,
  path: '/api/user/aff',
  access: 'account.own',
  summary: 'One’s own invitation code, created on the first request',
  data: v.string(),
})

/** GET, for compatibility with the family. */
export const bindEmail = defineRoute({
  method: 'GET',
  changes: true,
  path: '/api/oauth/email/bind',
  access: 'account.own',
  summary: 'Change one’s own email to an address confirmed by a verification code',
  query: v.object({
    email: emailAddress,
    code: v.pipe(v.string(), v.trim(), v.maxLength(20)),
    /** Required after a refusal `step_up_required`. A password must not be part of a URL; `PUT /api/user/self` accepts it. */
    totp_code: v.optional(v.pipe(v.string(), v.trim(), v.maxLength(40)), ''),
  }),
})
