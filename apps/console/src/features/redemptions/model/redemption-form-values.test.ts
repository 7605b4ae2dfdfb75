import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { en } from '../texts/redemption-texts.ts'
import { NEW_CODES, type RedemptionFormInput, redemptionFormSchema } from './redemption-form-values.ts'

const check = (change: Partial<RedemptionFormInput>) => {
  const result = v.safeParse(redemptionFormSchema(en), { ...NEW_CODES, name: 'gift', ...change })
  return result.success ? result.output : result.issues.map((issue) => issue.message)
}

describe('the form of redemption codes', () => {
  it('requires a name of 1 to 20 characters', { tags: ['B5.20', 'B9.6'] }, () => {
    expect(check({ name: ' ' })).toEqual(['Name is required'])
    expect(check({ name: 'x'.repeat(21) })).toEqual(['Max 20 chars'])
    expect(check({ name: ` ${'x'.repeat(20)} ` })).toMatchObject({ name: 'x'.repeat(20) })
  })

  it('requires a whole quota that is not negative', { tags: 'B5.20' }, () => {
    expect(check({ quota: -1 })).toEqual(['Quota cannot be negative'])
    expect(check({ quota: 1.5 })).toEqual(['Quota must be a whole number'])
    expect(check({ quota: Number.NaN })).toEqual(['Enter a number of quota points'])
    expect(check({ quota: 0 })).toMatchObject({ quota: 0 })
  })

  it('sends an expiry as unix seconds, and 0 for never', () => {
    expect(check({})).toMatchObject({ expired_time: 0 })
    expect(check({ expired_time: '2026-02-01T10:00:00' })).toMatchObject({
      expired_time: new Date(2026, 1, 1, 10).getTime() / 1_000,
    })
    expect(check({ expired_time: 'incomplete' })).toEqual(['Invalid expiration time'])
  })

  it('makes 1 to 100 codes at once', { tags: ['B5.20', 'B9.6'] }, () => {
    expect(check({ count: 0 })).toEqual(['Count must be positive'])
    expect(check({ count: 101 })).toEqual(['Count cannot exceed 100'])
    expect(check({ count: 2.5 })).toEqual(['Count must be a whole number'])
    for (const count of [1, 100]) expect(check({ count })).toMatchObject({ count })
  })
})
