import type { ForeignRow } from '@sluice/store/foreign/foreign-database'
import { describe, expect, it } from 'vitest'
import { listOf, markOfToken, type SourceToken, takeToken } from './take-token.ts'

const KEY = '67mq1zrqdbDtbibPJGDfN1WQYMyZaC6hDCSYnmr0lVGeBTeM'
const token: ForeignRow = {
  id: 4,
  user_id: 2,
  key: KEY,
  name: 'office net',
  status: 1,
  created_time: 1_763_000_000,
  expired_time: -1,
  unlimited_quota: 0,
  remain_quota: 900,
  used_quota: 100,
}

function taken(change: ForeignRow): SourceToken {
  const result = takeToken({ ...token, ...change })
  if (result.outcome !== 'taken') throw new Error(JSON.stringify(result))
  return result.row
}
const fault = (change: ForeignRow) => {
  const result = takeToken({ ...token, ...change })
  return result.outcome === 'left_out' ? `${result.fault.field} ${result.fault.problem}` : result.outcome
}

describe('a token of the family', () => {
  it('keeps its key, owner, limit and names', () => {
    expect(taken({})).toEqual({
      userId: 2,
      name: 'office net',
      key: KEY,
      isEnabled: true,
      createdTime: 1_763_000_000,
      expiredTime: -1,
      unlimited: false,
      remain: 900,
      usedQuota: 100,
      models: null,
      subnet: null,
      groups: [],
      limits: {},
    })
  })

  it('has a key as clients send it, whether the prefix is stored or the column is padded', () => {
    expect([`sk-${KEY}`, `${KEY}   `].map((key) => taken({ key }).key)).toEqual([KEY, KEY])
  })

  it('is on unless somebody switched it off: that it is used up or expired follows from its numbers', () => {
    expect([1, 2, 3, 4].map((status) => taken({ status }).isEnabled)).toEqual([true, false, true, true])
  })

  it('without a limit has nothing left to bring, whatever the family has subtracted', () => {
    expect(taken({ unlimited_quota: true, remain_quota: -4_321 }).remain).toBe(0)
    expect(taken({ unlimited_quota: true, remain_quota: -(2 ** 52) }).remain).toBe(0)
    expect(taken({ remain_quota: -39 }).remain).toBe(-39)
  })

  it('never expires when the time is none', () => {
    expect([-1, 0, null, 1_763_640_000].map((time) => taken({ expired_time: time }).expiredTime)).toEqual([
      -1, -1, -1, 1_763_640_000,
    ])
  })

  it('is limited to models and addresses by the columns of One API', () => {
    const { models, subnet } = taken({ models: 'gpt-4o, gpt-4o-mini,,gpt-4o', subnet: '10.0.0.0/8,::1' })
    expect([models, subnet]).toEqual(['gpt-4o,gpt-4o-mini', '10.0.0.0/8,::1'])
  })

  it('is limited to models and addresses by the columns of new-api, where the list is switched on', () => {
    const limits = { model_limits: 'gpt-4o', allow_ips: '10.1.2.3\n192.168.0.0/16\n' }
    expect(taken({ ...limits, model_limits_enabled: 1 })).toMatchObject({
      models: 'gpt-4o',
      subnet: '10.1.2.3,192.168.0.0/16',
    })
    expect(taken({ ...limits, model_limits_enabled: false }).models).toBeNull()
  })

  it('has the group that it names', () => {
    expect([taken({ group: 'vip' }).groups, taken({ group: 'auto' }).groups]).toEqual([['vip'], ['auto']])
  })

  it('is skipped when it is deleted', () => {
    expect(fault({ deleted_at: '2026-11-24 15:14:04' })).toBe('skipped')
  })

  it.each<[string, ForeignRow, string]>([
    ['without a key', { key: null }, 'key is NULL'],
    ['with a short key', { key: 'short' }, 'key is not a key of 8 to 200 visible characters'],
    ['with a blank in its key', { key: 'abcd efgh' }, 'key is not a key of 8 to 200 visible characters'],
    [
      'whose key would name a channel',
      { key: 'abcdefgh-12' },
      'key ends with a hyphen and digits, which clients use to name a channel',
    ],
    ['of nobody', { user_id: 0 }, 'user_id is not between 1 and 2147483647'],
    ['with half a point', { remain_quota: 0.5 }, 'remain_quota is not a whole number'],
    ['with no limit at all', { remain_quota: null }, 'remain_quota is NULL'],
    ['that is limited perhaps', { unlimited_quota: 'perhaps' }, 'unlimited_quota is not true or false'],
    [
      'with an empty list that is switched on, which allows nothing',
      { model_limits_enabled: 1, model_limits: '' },
      'model_limits is an empty list that is enabled',
    ],
    [
      'with an address that is not one: without it, everyone could use the key',
      { allow_ips: 'office' },
      'allow_ips contains something that is neither an IP address nor a CIDR range',
    ],
    [
      'with a subnet of 99 bits',
      { subnet: '10.0.0.0/99' },
      'subnet contains something that is neither an IP address nor a CIDR range',
    ],
    ['deleted in year 0', { deleted_at: '0000-00-00' }, 'deleted_at is not a date'],
  ])('%s is left out with the field and the rule', (_, change, problem) => {
    expect(fault(change)).toBe(problem)
  })

  it('is recognised by its key', () => {
    expect(markOfToken(taken({ name: 'other', remain_quota: 1 }))).toBe(markOfToken(taken({})))
    expect(markOfToken(taken({ key: `${KEY}x` }))).not.toBe(markOfToken(taken({})))
  })
})

describe('a list in a text', () => {
  it('has each entry once, without blanks', () => {
    expect(listOf(' a ,b,,a', ',')).toEqual(['a', 'b'])
  })
})
