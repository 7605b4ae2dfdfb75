import type { BudgetInput } from '@sluice/contract/budget'
import { ROLE } from '@sluice/contract/capability'
import { QUOTA_MAX } from '@sluice/contract/scalars'
import type { User } from '@sluice/contract/user'
import * as v from 'valibot'
import type { Translation } from '~/lib/i18n/texts.ts'
import { type BudgetFields, budgetFieldsSchema, budgetsOf, fieldsOfBudgets, NO_BUDGETS } from '~/ui/quota/budgets.ts'
import type { en as quotaEn } from '~/ui/quota/texts/quota-texts.ts'
import type { en } from '../texts/user-texts.ts'

const DEFAULT_GROUP = 'default'
const SHORTEST_NAME = 3
const LONGEST_NAME = 30
const LONGEST_DISPLAY_NAME = 20
const LONGEST_EMAIL = 50
const EMAIL = v.pipe(v.string(), v.email())
export const SHORTEST_PASSWORD = 8
/** Password hashing ignores any further bytes. */
const LONGEST_PASSWORD_BYTES = 72

export const ROLES = Object.values(ROLE)

export interface UserFormInput {
  username: string
  display_name: string
  email: string
  password: string
  /** Quota points; NaN while the field does not hold a number. Null for an empty field: a new user then gets the gift. */
  quota: number | null
  group: string
  /** A number of `ROLE`, as a select holds it. */
  role: string
  budgets: BudgetFields
}

export interface UserFormValues extends Omit<UserFormInput, 'role' | 'budgets'> {
  /** Undefined for a role that cannot be assigned. */
  role: (typeof ROLES)[number] | undefined
  budgets: BudgetInput[]
}

export const NEW_USER: UserFormInput = {
  username: '',
  display_name: '',
  email: '',
  password: '',
  quota: null,
  group: DEFAULT_GROUP,
  role: String(ROLE.user),
  budgets: NO_BUDGETS,
}

export function formOfUser(user: User): UserFormInput {
  return {
    username: user.username,
    display_name: user.display_name,
    email: user.email,
    password: '',
    quota: user.quota,
    group: user.group,
    role: String(user.role),
    budgets: fieldsOfBudgets(user.budgets),
  }
}

/**
 * `stored` is undefined for a new user. Unchanged values of a stored user are valid: a balance can be overdrawn, and a name shorter
 * than names may be now.
 */
export function userFormSchema(
  t: Translation<typeof en>,
  quotaTerms: Translation<typeof quotaEn>,
  stored?: Pick<User, 'username' | 'quota'>,
): v.GenericSchema<UserFormInput, UserFormValues> {
  const orStored = (holds: (quota: number) => boolean) => (quota: number) => quota === stored?.quota || holds(quota)
  const quota = v.pipe(
    v.number(t.quotaNoNumber),
    v.check(
      orStored((points) => points >= 0),
      t.quotaNegative,
    ),
    v.check(orStored(Number.isInteger), t.quotaWhole),
    v.check(
      orStored((points) => points <= QUOTA_MAX),
      t.quotaTooLarge,
    ),
  )
  const passwordShort = t.passwordShort(String(SHORTEST_PASSWORD))
  const isLongEnough = (text: string) => text.length >= SHORTEST_PASSWORD || (stored !== undefined && text === '')
  return v.object({
    username: v.pipe(
      v.string(),
      v.trim(),
      v.check((name) => name.length >= SHORTEST_NAME || name === stored?.username, t.usernameShort),
      v.maxLength(LONGEST_NAME, t.usernameLong),
    ),
    display_name: v.pipe(v.string(), v.trim(), v.maxLength(LONGEST_DISPLAY_NAME, t.displayNameLong)),
    email: v.pipe(
      v.string(),
      v.trim(),
      v.check((text) => text === '' || v.is(EMAIL, text), t.badEmail),
      v.maxLength(LONGEST_EMAIL, t.emailLong),
    ),
    password: v.pipe(
      v.string(),
      v.check(isLongEnough, passwordShort),
      v.maxBytes(LONGEST_PASSWORD_BYTES, t.passwordLong),
    ),
    quota: stored === undefined ? v.nullable(quota) : quota,
    group: v.pipe(v.string(), v.trim(), v.minLength(1, t.groupRequired)),
    role: v.pipe(
      v.string(),
      v.transform((text) => ROLES.find((role) => String(role) === text)),
    ),
    budgets: budgetFieldsSchema(quotaTerms),
  })
}

/** Leaves out empty fields, because the gateway knows what new users get. */
export function createBody(values: UserFormValues) {
  const { username, password, display_name, email, quota, group, budgets } = values
  return {
    username,
    password,
    group,
    budgets,
    ...(display_name !== '' && { display_name }),
    ...(email !== '' && { email }),
    ...(quota !== null && { quota }),
  }
}

/**
 * Sends only what differs from the form's initial values, because a form must not restore values that it never touched: the user
 * may have spent since, or someone else may have changed them.
 */
export function updateBody(id: number, start: UserFormInput, values: UserFormValues) {
  const { username, display_name, email, password, quota, group, role, budgets } = values
  const sameBudgets = JSON.stringify(budgets) === JSON.stringify(budgetsOf(start.budgets))
  return {
    id,
    ...(username !== start.username && { username }),
    ...(display_name !== start.display_name && { display_name }),
    ...(email !== start.email && { email }),
    ...(password !== '' && { password }),
    ...(quota !== null && quota !== start.quota && { quota, ...(start.quota !== null && { quota_seen: start.quota }) }),
    ...(group !== start.group && { group }),
    ...(role !== undefined && String(role) !== start.role && { role }),
    ...(!sameBudgets && { budgets }),
  }
}

export type RoleName = 'user' | 'admin' | 'root'

/** 1 user, 10 administrator, 100 super administrator. A number in between counts as the role below it. */
export function roleName(role: number): RoleName {
  return role >= ROLE.root ? 'root' : role >= ROLE.admin ? 'admin' : 'user'
}

/** What the family's servers send for a balance without a limit. */
const UNLIMITED = -1

export function isUnlimited(quota: number): boolean {
  return quota === UNLIMITED
}
