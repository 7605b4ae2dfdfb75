import * as v from 'valibot'
import { redemption, redemptionCreate, redemptionStatusUpdate, redemptionUpdate } from '../redemption.ts'
import { defineRoute } from '../route.ts'
import { pageQuery, searchQuery, statusOnly } from '../scalars.ts'

export const listRedemptions = defineRoute({
  method: 'GET',
  changes: false,
  path: '/api/redemption/',
  access: 'redemptions.manage',
  summary: 'List redemption codes',
  query: v.object(pageQuery),
  data: v.array(redemption),
  paged: true,
})
export const searchRedemptions = defineRoute({
  method: 'GET',
  changes: false,
  path: '/api/redemption/search',
  access: 'redemptions.manage',
  summary: 'Search redemption codes by id or the start of their name',
  query: v.object(searchQuery),
  data: v.array(redemption),
  paged: true,
})
export const getRedemption = defineRoute({
  method: 'GET',
  changes: false,
  path: '/api/redemption/:id',
  access: 'redemptions.manage',
  summary: 'One redemption code',
  data: redemption,
})
export const createRedemptions = defineRoute({
  method: 'POST',
  path: '/api/redemption/',
  access: 'redemptions.manage',
  summary: 'Create redemption codes, either all or none',
  body: redemptionCreate,
  data: v.array(v.string()),
})
export const updateRedemption = defineRoute({
  method: 'PUT',
  path: '/api/redemption/',
  access: 'redemptions.manage',
  summary: 'Update an unused code, or only its status with status_only',
  query: v.object({ status_only: statusOnly }),
  body: redemptionUpdate,
  statusBody: redemptionStatusUpdate,
  data: redemption,
  confirmed: true,
})
export const deleteRedemption = defineRoute({
  method: 'DELETE',
  path: '/api/redemption/:id',
  access: 'redemptions.manage',
  summary: 'Delete a redemption code',
})
export const redeem = defineRoute({
  method: 'POST',
  path: '/api/user/topup',
  access: 'account.own',
  summary: 'Redeem a code; returns the quota added',
  body: v.object({
    key: v.pipe(v.string(), v.trim(), v.minLength(1, 'Redemption code is required'), v.maxLength(100)),
  }),
  data: v.number(),
})
