import { describe, expect, it } from 'vitest'
import { formatDateTime, formatLocalDay, formatRelative, toDateTimeInput } from './date.ts'

const at = new Date(2026, 2, 9, 14, 5, 9)
const seconds = at.getTime() / 1_000

describe('dates', () => {
  it('are written year first in local time', () => {
    expect(formatDateTime(seconds)).toBe('2026-03-09 14:05:09')
    expect(formatLocalDay(at)).toBe('2026-03-09')
  })

  it('fill date-time inputs so that reading them back gives the same second', () => {
    const text = toDateTimeInput(at)
    expect(text).toBe('2026-03-09T14:05:09')
    expect(new Date(text).getTime()).toBe(at.getTime())
  })

  it.each([
    [0, 'now'],
    [-59, 'now'],
    [-60, '1 min. ago'],
    [-3_599, '59 min. ago'],
    [-7_200, '2 hr. ago'],
    [-86_400, 'yesterday'],
    [172_800, 'in 2 days'],
    [-2_592_000, 'last mo.'],
    [-63_072_000, '2 yr. ago'],
  ])('%d seconds away reads %s', (distance, text) => {
    expect(formatRelative(seconds + distance, seconds, 'en')).toBe(text)
  })
})
