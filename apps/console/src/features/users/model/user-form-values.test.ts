import type { User } from '@sluice/contract/user'
import * as v from 'valibot'
import { describe, expect, it, test } from 'vitest'
import { en as quotaEn } from '~/ui/quota/texts/quota-texts.ts'
import { en } from '../texts/user-texts.ts'
import {
  createBody,
  formOfUser,
  NEW_USER,
  updateBody,
  type UserFormInput,
  userFormSchema,
  type UserFormValues,
  roleName,
  isUnlimited,
} from './user-form-values.ts'

test('-1 is a balance without limit; any other is an amount, overdrawn or not', { tags: 'B3.4' }, () => {
  expect([-2, -1, 0, 1].map(isUnlimited)).toEqual([false, true, false, false])
})

test(
  'a role of 10 or more is an administrator, of 100 a super administrator, anything less a user',
  { tags: 'B6.1' },
  () => {
    expect([0, 1, 9, 10, 11, 99, 100, 101].map(roleName)).toEqual([
      'user',
      'user',
      'user',
      'admin',
      'admin',
      'admin',
      'root',
      'root',
    ])
  },
)

const ann: User = {
  id: 7,
  username: 'ann',
  display_name: 'Ann',
  email: 'ann@example.org',
  role: 1,
  status: 1,
  group: 'vip',
  quota: 900,
  used_quota: 100,
  request_count: 3,
  created_time: 1,
  github_id: '',
  lark_id: '',
  oidc_id: '',
  wechat_id: '',
  budgets: [{ period: 'day', quota: 50, used_quota: 10, resets_time: 9 }],
}

const created: UserFormInput = { ...NEW_USER, username: 'bob', password: 'password-1' }

const check = (change: Partial<UserFormInput>, stored?: User) => {
  const start = stored === undefined ? created : formOfUser(stored)
  const result = v.safeParse(userFormSchema(en, quotaEn, stored), { ...start, ...change })
  return result.success ? result.output : result.issues.map((issue) => issue.message)
}

function valid(change: Partial<UserFormInput>, stored?: User): UserFormValues {
  const result = check(change, stored)
  if (Array.isArray(result)) throw new Error(result.join(', '))
  return result
}

const sent = (change: Partial<UserFormInput>, stored = ann) =>
  updateBody(stored.id, formOfUser(stored), valid(change, stored))

describe('the user form', () => {
  it('requires a username of three characters, after trimming', { tags: ['B5.3', 'B9.7'] }, () => {
    expect(check({ username: 'ab ' })).toEqual(['Username must be at least 3 characters'])
    expect(valid({ username: ' abc ' }).username).toBe('abc')
    expect(check({ username: 'x'.repeat(31) })).toEqual(['Username is limited to 30 characters'])
  })

  it('accepts no email, or a valid one', { tags: 'B5.3' }, () => {
    expect(valid({ email: ' ' }).email).toBe('')
    expect(valid({ email: ' a@b.org ' }).email).toBe('a@b.org')
    for (const email of ['nowhere', 'a@', '@b.org']) expect(check({ email })).toEqual(['Valid email is required'])
  })

  it('requires a quota that is not negative, and a group', { tags: 'B5.3' }, () => {
    expect(check({ quota: -1 }, ann)).toEqual(['Quota must be non-negative'])
    expect(check({ quota: 1.5 }, ann)).toEqual(['Quota must be a whole number'])
    expect(check({ quota: Number.NaN }, ann)).toEqual(['Enter a number of quota points'])
    expect(check({ quota: 1e15 + 1 })).toEqual(['Quota is too large'])
    expect(valid({ quota: 0 }).quota).toBe(0)
    expect(check({ group: ' ' })).toEqual(['Group is required'])
  })

  it('requires a password for a new user, and validates that of a stored one only if there is one', () => {
    const short = ['Password must be at least 8 characters']
    expect(check({ password: '' })).toEqual(short)
    expect(check({ password: '1234567' })).toEqual(short)
    expect(check({ password: '1234567' }, ann)).toEqual(short)
    expect(check({ password: 'ä'.repeat(40) }, ann)).toEqual(['Password is limited to 72 bytes'])
    expect(valid({ password: '' }, ann).password).toBe('')
  })

  it('accepts existing values of a stored user: an overdrawn balance, a name as short as the dialog allows', () => {
    const overdrawn = { ...ann, username: 'x', quota: -250 }
    expect(sent({ display_name: 'Annie' }, overdrawn)).toEqual({ id: 7, display_name: 'Annie' })
    expect(check({ quota: -249 }, overdrawn)).toEqual(['Quota must be non-negative'])
    expect(check({ username: 'y' }, overdrawn)).toEqual(['Username must be at least 3 characters'])
  })
})

describe('what the form sends', () => {
  it('for a new user omits empty fields, so that the gift for new users is given', () => {
    expect(createBody(valid({}))).toEqual({ username: 'bob', password: 'password-1', group: 'default', budgets: [] })
    expect(createBody(valid({ quota: 0, email: 'b@c.org', display_name: 'Bob' }))).toMatchObject({
      quota: 0,
      email: 'b@c.org',
      display_name: 'Bob',
    })
  })

  it('for a stored user is only what was changed: no empty password, no untouched balance', { tags: 'B5.3' }, () => {
    expect(sent({})).toEqual({ id: 7 })
    expect(sent({ quota: 900, group: 'vip', role: '1', email: ' ann@example.org ' })).toEqual({ id: 7 })
    expect(sent({ quota: 901 })).toEqual({ id: 7, quota: 901, quota_seen: 900 })
    expect(sent({ password: 'password-2', email: '' })).toEqual({ id: 7, password: 'password-2', email: '' })
    expect(sent({ role: '10', group: 'default', username: 'anna' })).toEqual({
      id: 7,
      role: 10,
      group: 'default',
      username: 'anna',
    })
  })

  it('includes all budgets when one of them was changed', () => {
    expect(sent({ budgets: { day: 50, week: null, month: null } })).toEqual({ id: 7 })
    expect(sent({ budgets: { day: 50, week: null, month: 70 } })).toEqual({
      id: 7,
      budgets: [
        { period: 'day', quota: 50 },
        { period: 'month', quota: 70 },
      ],
    })
    expect(sent({ budgets: { day: null, week: null, month: null } })).toEqual({ id: 7, budgets: [] })
  })

  it('never includes a role that cannot be assigned', () => {
    expect(sent({ role: '5' })).toEqual({ id: 7 })
  })
})
