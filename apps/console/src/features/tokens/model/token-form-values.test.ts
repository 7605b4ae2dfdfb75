import { tokenCreate, tokenUpdate } from '@sluice/contract/token'
import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { en as quotaEn } from '~/ui/quota/texts/quota-texts.ts'
import { en } from '../texts/token-texts.ts'
import { createBody, formOfToken, NEW_TOKEN, tokenFormSchema, updateBody } from './token-form-values.ts'

const schema = tokenFormSchema(en, quotaEn)
const form = { ...NEW_TOKEN, name: 'ci' }

function messageFor(field: string, change: object): string | undefined {
  const result = v.safeParse(schema, { ...form, ...change })
  return result.issues?.find((issue) => v.getDotPath(issue) === field)?.message
}

describe('token form', () => {
  it('offers 500,000 points, never expiring, for every model', { tags: ['A3.12', 'A9.7'] }, () => {
    expect(v.parse(schema, form)).toEqual({
      name: 'ci',
      remain_quota: 500_000,
      expired_time: -1,
      unlimited_quota: false,
      budgets: [],
      limits: { rpm: 0, tpm: 0, concurrency: 0, repeat_rpm: 0, session_quota: 0 },
      quiet_hours: '',
      groups: [],
      models: [],
      subnet: '',
    })
  })

  it.each([
    ['name', { name: '' }, 'Token name is required'],
    ['name', { name: '   ' }, 'Token name is required'],
    ['remain_quota', { remain_quota: -1 }, 'Quota must be non-negative'],
    ['remain_quota', { remain_quota: Number.NaN }, 'Quota must be non-negative'],
    ['remain_quota', { remain_quota: 0.5 }, 'Quota must be a whole number'],
    ['remain_quota', { remain_quota: Number.MAX_SAFE_INTEGER }, 'Quota is too large'],
    ['expired_time', { expired_time: 'soon' }, 'Invalid expiration time'],
    ['limits.rpm', { limits: { ...NEW_TOKEN.limits, rpm: 0 } }, 'A limit must be at least 1; leave it empty for none'],
    ['limits.tpm', { limits: { ...NEW_TOKEN.limits, tpm: Number.NaN } }, 'A limit must be a whole number, or empty'],
    ['limits.concurrency', { limits: { ...NEW_TOKEN.limits, concurrency: 1e12 } }, 'This limit is too large'],
  ])('refuses a bad %s %j', (field, change, message) => {
    expect(messageFor(field, change)).toBe(message)
  })

  it('names every bad field at once', { tags: 'A5.19' }, () => {
    const { issues } = v.safeParse(
      schema,
      { ...form, name: '', remain_quota: -1, expired_time: 'x' },
      { abortPipeEarly: true },
    )
    expect(issues?.map((issue) => v.getDotPath(issue)).sort()).toEqual(['expired_time', 'name', 'remain_quota'])
  })

  it.each([-5, Number.NaN, 0.5])('ignores the quota %d of an unlimited token', (remain_quota) => {
    const values = v.parse(schema, { ...form, unlimited_quota: true, remain_quota })
    expect(values.remain_quota).toBe(0)
  })

  it('sends models as one comma-separated text', { tags: ['A3.11', 'A5.24'] }, () => {
    const body = createBody(v.parse(schema, { ...form, models: ['gpt-5', 'gpt-5-mini'] }))
    expect(body).toMatchObject({ models: 'gpt-5,gpt-5-mini', expired_time: -1 })
    expect(v.is(tokenCreate, body)).toBe(true)
  })

  it('sends an empty list of budgets, so that removing the last one removes it', () => {
    expect(createBody(v.parse(schema, form)).budgets).toEqual([])
    const budgets = { day: null, week: null, month: 7 }
    expect(createBody(v.parse(schema, { ...form, budgets })).budgets).toEqual([{ period: 'month', quota: 7 }])
    expect(messageFor('budgets.day', { budgets: { ...budgets, day: -1 } })).toBe('A budget must not be negative')
  })

  it('sends 0 for an empty limit, which removes one that was set', () => {
    const limits = { ...NEW_TOKEN.limits, rpm: 60, concurrency: 5 }
    expect(createBody(v.parse(schema, { ...form, limits }))).toMatchObject({ rpm: 60, tpm: 0, concurrency: 5 })
  })

  it('shows a stored token as it was entered', () => {
    const shown = formOfToken({
      id: 7,
      name: 'ci',
      key: 'sk-x',
      status: 1,
      remain_quota: 12,
      used_quota: 3,
      unlimited_quota: false,
      created_time: 1,
      accessed_time: 1,
      expired_time: -1,
      groups: ['vip', 'default'],
      group: 'vip',
      models: 'a,b',
      subnet: null,
      rpm: 0,
      tpm: 90_000,
      concurrency: 3,
      repeat_rpm: 0,
      session_quota: 500,
      quiet_hours: '22:00-07:00 UTC',
      budgets: [{ period: 'week', quota: 40, used_quota: 3, resets_time: 9 }],
    })
    expect(shown).toEqual({
      name: 'ci',
      remain_quota: 12,
      expired_time: '',
      unlimited_quota: false,
      budgets: { day: null, week: 40, month: null },
      limits: { rpm: null, tpm: 90_000, concurrency: 3, repeat_rpm: null, session_quota: 500 },
      quiet_hours: '22:00-07:00 UTC',
      groups: ['vip', 'default'],
      models: ['a', 'b'],
      subnet: '',
    })
  })

  it('sends groups in their order, and none where none were chosen or stored', () => {
    const update = (groups: string[], stored: string[]) =>
      updateBody({ id: 7, status: 1 }, v.parse(schema, { ...form, groups }), 1_000, { ...form, groups: stored })
    expect(createBody(v.parse(schema, { ...form, groups: ['vip', 'default'] })).groups).toEqual(['vip', 'default'])
    expect(createBody(v.parse(schema, form))).not.toHaveProperty('groups')
    expect(update([], [])).not.toHaveProperty('groups')
    expect(update([], ['vip']).groups).toEqual([])
    expect(update(['vip'], []).groups).toEqual(['vip'])
  })

  it('refuses a group that the owner cannot use, once it is known which ones those are', () => {
    const vip = { ratio: 0.8, desc: 'vip', title: '', own: true, order: 0 }
    const values = { ...form, groups: ['vip', 'gone'] }
    const { issues } = v.safeParse(tokenFormSchema(en, quotaEn, { vip }), values)
    expect(issues?.map(({ message }) => message)).toEqual(['You cannot use the group "gone"; remove it'])
    expect(messageFor('groups', values)).toBeUndefined()
  })

  it('sends an update that the contract accepts, with the status that follows from the edit', () => {
    const body = updateBody({ id: 7, status: 4 }, v.parse(schema, form), 1_000, form)
    expect(body).toMatchObject({ id: 7, status: 1 })
    expect(v.is(tokenUpdate, body)).toBe(true)
    expect(updateBody({ id: 7, status: 9 }, v.parse(schema, form), 1_000, form)).not.toHaveProperty('status')
  })

  it('sends with an update the quota that its fields began with: the token may have spent since', () => {
    const start = { ...form, remain_quota: 500 }
    const renamed = updateBody({ id: 7, status: 1 }, v.parse(schema, { ...start, name: 'new' }), 1_000, start)
    expect(renamed).toMatchObject({ remain_quota: 500, remain_quota_seen: 500 })
    const more = updateBody({ id: 7, status: 1 }, v.parse(schema, { ...start, remain_quota: 600 }), 1_000, start)
    expect(more).toMatchObject({ remain_quota: 600, remain_quota_seen: 500 })
  })
})
