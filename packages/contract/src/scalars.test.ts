import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { listLogs } from './routes/logs.ts'
import { statusOfChannels } from './routes/public.ts'
import { listUsers, searchUsers } from './routes/users.ts'

describe('query fields', () => {
  it('that are absent or blank read as their default', () => {
    const defaults = { p: 0, size: 10, sort: '', order: '' }
    expect(v.parse(listUsers.query, {})).toEqual(defaults)
    expect(v.parse(listUsers.query, { p: '', size: '', sort: '', order: '' })).toEqual(defaults)
    expect(v.parse(statusOfChannels.query, { size: '' })).toEqual({ p: 0, size: 6, keyword: '' })
    const blank = { type: '', channel: '', start_timestamp: '', end_timestamp: '' }
    expect(v.parse(listLogs.query, blank)).toEqual(v.parse(listLogs.query, {}))
    expect(v.parse(listLogs.query, blank)).toMatchObject({ type: 0, channel: 0, start_timestamp: 0, end_timestamp: 0 })
  })

  it('keep a page within its bounds', () => {
    expect(v.parse(listUsers.query, { p: '-3', size: '100000' })).toMatchObject({ p: 0, size: 100 })
    expect(v.parse(listUsers.query, { p: '7', size: '0' })).toMatchObject({ p: 7, size: 1 })
  })

  it('let a search without a size return as much as a page can hold', () => {
    expect(v.parse(searchUsers.query, { keyword: ' a ' })).toMatchObject({ p: 0, size: 100, keyword: 'a' })
    expect(v.parse(searchUsers.query, { size: '5' })).toMatchObject({ size: 5, keyword: '' })
  })

  it('of filters stay within the range of their columns', { tags: 'S24' }, () => {
    const most = '999999999999999'
    const huge = { type: most, channel: most, start_timestamp: most, end_timestamp: most }
    const far = { type: 2 ** 31 - 1, channel: 2 ** 31 - 1, start_timestamp: 2 ** 40, end_timestamp: 2 ** 40 }
    expect(v.parse(listLogs.query, huge)).toMatchObject(far)
  })

  it('that are not numbers are refused', () => {
    for (const p of ['1.5', 'NaN', ' 1', '1e3', '1234567890123456']) {
      expect(v.is(listUsers.query, { p })).toBe(false)
    }
  })

  it('order in any case; presets of older clients read as none, anything else is refused', () => {
    const order = (text: string) => v.parse(listUsers.query, { order: text }).order
    expect(['asc', 'ASC', 'desc', 'Desc'].map(order)).toEqual(['asc', 'asc', 'desc', 'desc'])
    expect(['quota', 'used_quota', ''].map(order)).toEqual(['', '', ''])
    expect(v.is(listUsers.query, { order: 'desc;--' })).toBe(false)
  })
})
