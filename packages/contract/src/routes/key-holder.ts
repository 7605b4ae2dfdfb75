import * as v from 'valibot'
import {
  billingSubscription,
  billingUsage,
  consumeBody,
  keyOwner,
  keyUsage,
  requestCost,
  tokenBalance as balance,
  tokenLogs as logsInNewApi,
  tokenTransaction,
  tokenUsage,
} from '../key-holder.ts'
import { log } from '../log.ts'
import { defineRoute } from '../route.ts'
import { pageQuery } from '../scalars.ts'

export const tokenBalance = defineRoute({
  method: 'GET',
  changes: false,
  path: '/api/token/balance',
  access: 'api_key',
  summary: 'The quota left on the key’s token',
  data: balance,
})
export const tokenTransactions = defineRoute({
  method: 'GET',
  changes: false,
  path: '/api/token/transactions',
  access: 'api_key',
  summary: 'Quota that programs reserved and charged with the key, newest first; the last 1,000',
  query: v.object(pageQuery),
  data: v.array(tokenTransaction),
  paged: true,
})
export const tokenLogs = defineRoute({
  method: 'GET',
  changes: false,
  path: '/api/token/logs',
  access: 'api_key',
  summary: 'Log rows of the key’s token, newest first; the last 1,000',
  query: v.object(pageQuery),
  data: v.array(log),
  paged: true,
})
export const consumeToken = defineRoute({
  method: 'POST',
  path: '/api/token/consume',
  access: 'api_key',
  summary: 'Reserve, charge or release quota for work done elsewhere',
  body: consumeBody,
  data: balance,
  extra: v.object({ transaction: tokenTransaction }),
})
export const ownerOfKey = defineRoute({
  method: 'GET',
  changes: false,
  path: '/api/user/get-by-token',
  access: 'api_key',
  summary: 'The account behind the key',
  data: keyOwner,
})
export const modelsOfKey = defineRoute({
  method: 'GET',
  changes: false,
  path: '/api/available_models',
  access: 'api_key',
  summary: 'Models that the key may call; `enabled` says whether the token has a list of its own',
  data: v.object({ available: v.array(v.string()), enabled: v.boolean() }),
})

const subscription = {
  method: 'GET',
  changes: false,
  access: 'api_key',
  bare: true,
  data: billingSubscription,
} as const
const usage = {
  method: 'GET',
  changes: false,
  access: 'api_key',
  bare: true,
  data: billingUsage,
  /** Clients send a range, but the family has always returned the total. */
  query: v.object({ start_date: v.optional(v.string()), end_date: v.optional(v.string()) }),
} as const

export const billingSubscriptionOfKey = defineRoute({
  ...subscription,
  path: '/dashboard/billing/subscription',
  summary: 'Balance in the format of OpenAI’s billing API',
})
export const billingSubscriptionOfKeyV1 = defineRoute({
  ...subscription,
  path: '/v1/dashboard/billing/subscription',
  summary: 'The same under /v1',
})
export const billingUsageOfKey = defineRoute({
  ...usage,
  path: '/dashboard/billing/usage',
  summary: 'Spending in the format of OpenAI’s billing API',
})
export const billingUsageOfKeyV1 = defineRoute({
  ...usage,
  path: '/v1/dashboard/billing/usage',
  summary: 'The same under /v1',
})
export const usageOfKey = defineRoute({
  method: 'GET',
  changes: false,
  path: '/api/usage/token/',
  access: 'api_key',
  bare: true,
  summary: 'Balance in New API’s format',
  data: tokenUsage,
})
export const usageInSub2api = defineRoute({
  method: 'GET',
  changes: false,
  path: '/v1/usage',
  access: 'api_key',
  bare: true,
  summary: 'Balance and budgets in dollars, in sub2api’s format, which cc-switch reads',
  data: keyUsage,
})
/** Pages made for New API send `?key=` instead of the header. */
export const logsOfKey = defineRoute({
  method: 'GET',
  changes: false,
  path: '/api/log/token',
  access: 'api_key',
  bare: true,
  summary: 'Log rows of the key’s token in New API’s format, newest first; the last 1,000',
  query: v.object({ key: v.optional(v.string()) }),
  data: logsInNewApi,
})
export const costOfRequest = defineRoute({
  method: 'GET',
  changes: false,
  path: '/api/cost/request/:request_id',
  // Accepts any id, so that an impossible one gets the same answer as another user's.
  params: { request_id: '[0-9A-Za-z-]{1,64}' },
  access: 'api_key',
  bare: true,
  summary: 'The charge for a request made with the key, by the `X-Oneapi-Request-Id` of its reply',
  data: requestCost,
})
