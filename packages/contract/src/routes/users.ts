import * as v from 'valibot'
import { defineRoute } from '../route.ts'
import { rowId } from '../row-id.ts'
import { pageQuery, quotaInput, searchQuery, statusOnly } from '../scalars.ts'
import { user, userCreate, userManage, userStatusUpdate, userUpdate } from '../user.ts'

export const listUsers = defineRoute({
  method: 'GET',
  changes: false,
  path: '/api/user/',
  access: 'users.manage',
  summary: 'List users',
  query: v.object(pageQuery),
  data: v.array(user),
  paged: true,
})
export const searchUsers = defineRoute({
  method: 'GET',
  changes: false,
  path: '/api/user/search',
  access: 'users.manage',
  summary: 'Search users by name, email or id',
  query: v.object(searchQuery),
  data: v.array(user),
  paged: true,
})
export const getUser = defineRoute({
  method: 'GET',
  changes: false,
  path: '/api/user/:id',
  access: 'users.manage',
  summary: 'One user',
  data: user,
})
export const createUser = defineRoute({
  method: 'POST',
  path: '/api/user/',
  access: 'users.manage',
  summary: 'Create a user',
  body: userCreate,
})
export const updateUser = defineRoute({
  method: 'PUT',
  path: '/api/user/',
  access: 'users.manage',
  summary: 'Update a user, or only the status with status_only',
  query: v.object({ status_only: statusOnly }),
  body: userUpdate,
  statusBody: userStatusUpdate,
})
export const deleteUser = defineRoute({
  method: 'DELETE',
  path: '/api/user/:id',
  access: 'users.manage',
  summary: 'Delete a user',
})
export const manageUser = defineRoute({
  method: 'POST',
  path: '/api/user/manage',
  access: 'users.manage',
  summary: 'Enable, disable, delete, promote or demote a user by name',
  body: userManage,
  data: v.object({ role: v.number(), status: v.number() }),
})
export const topUpUser = defineRoute({
  method: 'POST',
  path: '/api/topup',
  access: 'users.manage',
  summary: 'Add quota to a user',
  body: v.object({ user_id: rowId, quota: quotaInput, remark: v.optional(v.pipe(v.string(), v.maxLength(200)), '') }),
})
export const listGroups = defineRoute({
  method: 'GET',
  changes: false,
  path: '/api/group/',
  access: 'groups.view',
  summary: 'Names of all groups, sorted',
  data: v.array(v.string()),
})
