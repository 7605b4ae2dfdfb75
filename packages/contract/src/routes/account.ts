import * as v from 'valibot'
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
  summary: 'Change own name, email or password; another email takes a step up unless the sign-in is fresh',
  body: selfUpdate,
})
export const availableModels = defineRoute({
  method: 'GET',
  changes: false,
  path: '/api/user/available_models',
  access: 'account.own',
  summary: 'Models the account’s group can reach, sorted',
  data: v.array(v.string()),
})

/** Not for root, whom somebody must be able to reach. */
export const deleteSelf = defineRoute({
  method: 'DELETE',
  path: '/api/user/self',
  access: 'account.own',
  summary: 'Delete the own account; tokens stop working at once',
})

/** GET as the family calls it. */
export const renewAccessToken = defineRoute({
  method: 'GET',
  changes: true,
  path: '/api/user/token',
  access: 'account.own',
  summary: 'Make a new access token for this API; the one before stops working. It is shown this once',
  data: v.string(),
})
export const invitationCode = defineRoute({
  method: 'GET',
  changes: true,
  path: '/api/user/aff',
  access: 'account.own',
  summary: 'The own invitation code, made when first asked for',
  data: v.string(),
})

/** GET as the family calls it. */
export const bindEmail = defineRoute({
  method: 'GET',
  changes: true,
  path: '/api/oauth/email/bind',
  access: 'account.own',
  summary: 'Change the own email to an address proved by a verification code',
  query: v.object({
    email: emailAddress,
    code: v.pipe(v.string(), v.trim(), v.maxLength(20)),
    /** Where a refusal `step_up_required` asks for it. A password is no part of an address: `PUT /api/user/self` takes it. */
    totp_code: v.optional(v.pipe(v.string(), v.trim(), v.maxLength(40)), ''),
  }),
})
