import type { ForeignRow } from '@sluice/store/foreign/foreign-database'
import { describe, expect, it } from 'vitest'
import { markOfCode, takeCode } from './take-code.ts'

const code: ForeignRow = {
  id: 7,
  user_id: 1,
  key: '0123456789abcdef0123456789abcdef',
  status: 1,
  name: 'spring',
  quota: 100_000,
  created_time: 1_763_000_000,
  redeemed_time: 0,
}
const result = (change: ForeignRow) => takeCode({ ...code, ...change })
const fault = (change: ForeignRow) => {
  const taken = result(change)
  return taken.outcome === 'left_out' ? `${taken.fault.field} ${taken.fault.problem}` : taken.outcome
}

describe('a redemption code of the family', () => {
  it('keeps its text, value and who made it', () => {
    expect(result({})).toMatchObject({
      outcome: 'taken',
      row: { name: 'spring', code: code['key'], status: 1, quota: 100_000, createdBy: 1, usedBy: 0, expiredTime: 0 },
    })
  })

  it('that was used is known as used, with its time and user where the source says so', () => {
    expect(result({ status: 3, redeemed_time: 1_763_500_000, used_user_id: 9 })).toMatchObject({
      row: { status: 3, usedBy: 9, usedTime: 1_763_500_000 },
    })
  })

  it('may expire', () => {
    expect(result({ expired_time: 1_800_000_000 })).toMatchObject({ row: { expiredTime: 1_800_000_000 } })
  })

  it('is skipped when it is deleted', () => {
    expect(fault({ deleted_at: '2026-11-24 15:14:04' })).toBe('skipped')
  })

  it.each<[string, ForeignRow, string]>([
    ['without a text', { key: null }, 'key is NULL'],
    ['with blanks in it', { key: 'a b c d' }, 'key is not a code of 4 to 100 visible characters'],
    ['with a NUL in it', { key: 'abcd\0' }, 'key contains a NUL character'],
    ['worth nothing', { quota: 0 }, 'quota is not between 1 and 1000000000000000'],
    ['worth less than nothing', { quota: -5 }, 'quota is not between 1 and 1000000000000000'],
    ['worth something in words', { quota: 'free' }, 'quota is not a whole number'],
    ['of an unknown status', { status: 4 }, 'status is not between 1 and 3'],
  ])('%s is left out with the field and the rule', (_, change, problem) => {
    expect(fault(change)).toBe(problem)
  })

  it('is recognised by its text', () => {
    const marks = [result({}), result({ name: 'summer', quota: 5 })].map((taken) =>
      taken.outcome === 'taken' ? markOfCode(taken.row) : '',
    )
    expect(marks[0]).toBe(marks[1])
  })
})
