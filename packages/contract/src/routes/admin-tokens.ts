import * as v from 'valibot'
import { defineRoute } from '../route.ts'
import { filterInt, keyword, pageQuery } from '../scalars.ts'
import { anyToken } from '../token.ts'

const filters = {
  ...pageQuery,
  /** Tokens of this user; 0 or absent for all users. */
  user_id: filterInt,
  /** Displayed status: 1 enabled, 2 disabled, 3 expired, 4 exhausted; 0 for all. */
  status: v.optional(v.picklist(['', '0', '1', '2', '3', '4'], 'must be 0 to 4'), ''),
} as const

export const listAllTokens = defineRoute({
  method: 'GET',
  changes: false,
  path: '/api/admin/tokens/',
  access: 'tokens.all',
  summary: 'Tokens of all users, without their keys',
  query: v.object(filters),
  data: v.array(anyToken),
  paged: true,
})
export const searchAllTokens = defineRoute({
  method: 'GET',
  changes: false,
  path: '/api/admin/tokens/search',
  access: 'tokens.all',
  summary: 'Search the tokens of all users by the start of their name or of their owner’s',
  query: v.object({ ...filters, keyword }),
  data: v.array(anyToken),
  paged: true,
})
export const getAnyToken = defineRoute({
  method: 'GET',
  changes: false,
  path: '/api/admin/tokens/:id',
  access: 'tokens.all',
  summary: 'A token of any user, without its key',
  data: anyToken,
})
