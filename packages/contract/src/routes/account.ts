import * as v from 'valibot'
import { defineRoute } from '../route.ts'
import { selfUpdate, user } from '../user.ts'

export const self = defineRoute({
  method: 'GET',
  path: '/api/user/self',
  access: 'account.own',
  summary: 'The signed-in account',
  data: user,
})
export const updateSelf = defineRoute({
  method: 'PUT',
  path: '/api/user/self',
  access: 'account.own',
  summary: 'Change own name, email or password',
  body: selfUpdate,
})
export const availableModels = defineRoute({
  method: 'GET',
  path: '/api/user/available_models',
  access: 'account.own',
  summary: 'Models the account’s group can reach, sorted',
  data: v.array(v.string()),
})
