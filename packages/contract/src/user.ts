import * as v from 'valibot'
import { budget, budgetsInput } from './budget.ts'
import { ROLE } from './capability.ts'
import { rowId } from './row-id.ts'
import { exactQuota, quotaInput, sentBack, unixSeconds, usedBefore, wholeQuota } from './scalars.ts'

export const USER_STATUS = { enabled: 1, disabled: 2, deleted: 3 } as const

export const user = v.object({
  id: rowId,
  username: v.string(),
  display_name: v.string(),
  email: v.string(),
  role: v.number(),
  status: v.number(),
  group: v.string(),
  quota: wholeQuota,
  quota_exact: exactQuota,
  used_quota: wholeQuota,
  used_quota_exact: exactQuota,
  request_count: v.number(),
  ...usedBefore,
  created_time: unixSeconds,
  /** Accounts at sign-in providers, as the family names them; empty for none. */
  github_id: v.string(),
  lark_id: v.string(),
  oidc_id: v.string(),
  wechat_id: v.string(),
  /** Limits of all tokens together per day, week or month. */
  budgets: v.array(budget),
})
export type User = v.InferOutput<typeof user>

export const ownUser = v.object({
  ...user.entries,
  /** Code of the user's invitation link; empty until requested. */
  aff_code: v.string(),
  /** 0 for none. */
  inviter_id: v.number(),
})

const anyUsername = v.pipe(
  v.string(),
  v.trim(),
  v.minLength(1, 'Username is required'),
  v.maxLength(30, 'Username is limited to 30 characters'),
  // Two names that look alike must not belong to two people.
  v.check((name) => !/\p{C}/u.test(name), 'Username must not contain invisible characters'),
  // Deleted users are renamed to this form.
  v.check((name) => !/^deleted_\d+$/.test(name), 'This username is reserved'),
)
export const USERNAME_SHORT = 'Username must be at least 3 characters'
export const username = v.pipe(anyUsername, v.minLength(3, USERNAME_SHORT))

/** The family's password hashing libraries ignore everything after 72 bytes, so longer passwords are refused. */
const anyPassword = v.pipe(v.string(), v.maxBytes(72, 'Password is limited to 72 bytes'))
export const password = v.pipe(anyPassword, v.minLength(8, 'Password must be at least 8 characters'))
const displayName = v.pipe(v.string(), v.trim(), v.maxLength(20, 'Display name is limited to 20 characters'))
/** Plain ASCII: look-alike letters would name a different mailbox than they seem to. */
export const emailAddress = v.pipe(
  v.string(),
  v.trim(),
  v.maxLength(50, 'Email is limited to 50 characters'),
  v.email('Valid email is required'),
  v.regex(/^[\x21-\x7e]+$/, 'Valid email is required'),
)
const email = v.union([v.literal(''), emailAddress], 'Valid email is required')
const switchedStatus = v.picklist([USER_STATUS.enabled, USER_STATUS.disabled])
const group = v.pipe(v.string(), v.trim(), v.minLength(1, 'Group is required'), v.maxLength(32))

/** By the specification, names and first passwords from administrators may be shorter than users' own choices. */
export const userCreate = v.object({
  username: anyUsername,
  password: v.pipe(anyPassword, v.minLength(6, 'Password must be at least 6 characters')),
  display_name: v.optional(displayName),
  email: v.optional(email),
  quota: v.optional(quotaInput),
  group: v.optional(group),
  budgets: budgetsInput,
})
/**
 * An empty password keeps the old one. A new name must be a valid `username`; an existing shorter one may stay. `quota` is applied
 * as a difference to the value that the sender was shown, because the user might have spent meanwhile: to `quota_seen`, or, when a
 * body as read is sent back, to its `quota_exact` or `used_quota`. A body with none of them sets the value.
 */
export const userUpdate = v.object({
  id: rowId,
  username: v.optional(anyUsername),
  password: v.optional(v.union([v.literal(''), password])),
  display_name: v.optional(displayName),
  email: v.optional(email),
  quota: v.optional(quotaInput),
  quota_seen: v.optional(v.pipe(v.number(), v.safeInteger('Quota must be a whole number'))),
  quota_exact: sentBack.exact,
  used_quota: sentBack.used,
  group: v.optional(group),
  role: v.optional(v.picklist(Object.values(ROLE))),
  status: v.optional(switchedStatus),
  budgets: budgetsInput,
})
export const MANAGE_ACTIONS = ['enable', 'disable', 'delete', 'promote', 'demote'] as const
export type ManageAction = (typeof MANAGE_ACTIONS)[number]
export const userManage = v.object({
  username: v.pipe(v.string(), v.trim(), v.minLength(1, 'Username is required'), v.maxLength(100)),
  action: v.picklist(MANAGE_ACTIONS, `must be one of ${MANAGE_ACTIONS.join(', ')}`),
})
export const userStatusUpdate = v.object({ id: rowId, status: switchedStatus })
/**
 * Either field proves that the account's owner is present. A refusal `step_up_required` asks for it: by `password_required` or
 * `totp_required` in its data, or by `sign_in_required` if the account has neither.
 */
export const accountProof = {
  current_password: v.optional(v.pipe(v.string(), v.maxLength(1_000)), ''),
  totp_code: v.optional(v.pipe(v.string(), v.trim(), v.maxLength(40)), ''),
} as const
/** A new name must be a valid `username`; a shorter one from an administrator may stay. */
export const selfUpdate = v.object({
  username: v.optional(v.union([v.literal(''), anyUsername])),
  display_name: v.optional(displayName),
  email: v.optional(email),
  /** Proves a new `email` if the system verifies addresses. */
  verification_code: v.optional(v.pipe(v.string(), v.trim(), v.maxLength(20)), ''),
  password: v.optional(v.union([v.literal(''), password])),
  ...accountProof,
})
