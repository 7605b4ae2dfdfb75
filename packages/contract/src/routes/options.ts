import * as v from 'valibot'
import { defineRoute } from '../route.ts'

export const listOptions = defineRoute({
  method: 'GET',
  changes: false,
  path: '/api/option/',
  access: 'settings.view',
  summary:
    'All options except secrets; administrators do not get addresses that are not public. UserUsableGroups, GroupGroupRatio and AutoGroups are parts of Groups. AvailableGroups (the names in GroupRatio) and LogClearedBefore are read-only',
  data: v.array(v.object({ key: v.string(), value: v.string() })),
  /** Keys of stored secrets; empty for users who may not set them. */
  extra: v.object({
    secrets_set: v.optional(v.array(v.string()), []),
    /** Option key → label of the configuration file that owns it. */
    managed_by: v.optional(v.record(v.string(), v.string()), {}),
  }),
})
const submission = v.object({
  key: v.pipe(v.string(), v.minLength(1), v.maxLength(100)),
  value: v.union([v.string(), v.number(), v.boolean()]),
  /** Clears a secret; without it, a blank secret keeps the stored one. */
  clear: v.optional(v.boolean()),
})
export const updateOption = defineRoute({
  method: 'PUT',
  path: '/api/option/',
  access: 'settings.manage',
  summary: 'Set one option, or several at once, either all or none',
  body: v.union([submission, v.pipe(v.array(submission), v.minLength(1), v.maxLength(100))]),
})
export const updateInfo = defineRoute({
  method: 'GET',
  changes: false,
  path: '/api/option/update',
  access: 'settings.manage',
  summary: 'The newest release, from the release feed',
  data: v.object({ tag_name: v.string(), content: v.string() }),
})
