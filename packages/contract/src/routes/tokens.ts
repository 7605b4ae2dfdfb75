import * as v from 'valibot'
import { defineRoute } from '../route.ts'
import { pageQuery, searchQuery, statusOnly } from '../scalars.ts'
import { firstCall, token, tokenCreate, tokenStatusUpdate, tokenUpdate } from '../token.ts'

export const listTokens = defineRoute({
  method: 'GET',
  changes: false,
  path: '/api/token/',
  access: 'tokens.own',
  summary: 'List own tokens',
  query: v.object(pageQuery),
  data: v.array(token),
  paged: true,
})
export const searchTokens = defineRoute({
  method: 'GET',
  changes: false,
  path: '/api/token/search',
  access: 'tokens.own',
  summary: 'Search own tokens by the start of their name',
  query: v.object(searchQuery),
  data: v.array(token),
  paged: true,
})
export const getToken = defineRoute({
  method: 'GET',
  changes: false,
  path: '/api/token/:id',
  access: 'tokens.own',
  summary: 'One own token',
  data: token,
})
export const firstCallOfToken = defineRoute({
  method: 'GET',
  changes: false,
  path: '/api/token/:id/first_call',
  access: 'tokens.own',
  summary: 'Whether one’s own token has been used, and why its latest unanswered call failed',
  data: firstCall,
})
export const createToken = defineRoute({
  method: 'POST',
  path: '/api/token/',
  access: 'tokens.own',
  summary: 'Create a token',
  body: tokenCreate,
  data: token,
  confirmed: true,
})
export const updateToken = defineRoute({
  method: 'PUT',
  path: '/api/token/',
  access: 'tokens.own',
  summary: 'Update a token, or only the status with status_only',
  query: v.object({ status_only: statusOnly }),
  body: tokenUpdate,
  statusBody: tokenStatusUpdate,
  data: token,
  confirmed: true,
})
export const deleteToken = defineRoute({
  method: 'DELETE',
  path: '/api/token/:id',
  access: 'tokens.own',
  summary: 'Delete a token',
})
