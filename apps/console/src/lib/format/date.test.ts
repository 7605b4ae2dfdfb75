import { describe, expect, it } from 'vitest'
import { formatDateTime, formatLocalDay, formatRelative, toDateTimeInput, expiredTimeOf, expiryText } from './date.ts'

describe('expiry as sent', { tags: ['A5.22', 'A5.23', 'A9.8'] }, () => {
  it.each([
    ['', -1],
    ['   ', -1],
    ['incomplete', undefined],
    ['2026-13-45T00:00', undefined],
  ])('%j is %s', (text, sent) => {
    expect(expiredTimeOf(text)).toBe(sent)
  })

  it('is rounded up to whole seconds', () => {
    expect(expiredTimeOf('2026-02-01T10:00:00.001')).toBe(new Date(2026, 1, 1, 10, 0, 1).getTime() / 1_000)
  })

  it('is read back from the server as it was chosen', () => {
    expect(expiryText(-1)).toBe('')
    expect(expiryText(0)).toBe('')
    const chosen = '2026-02-01T23:59:59'
    expect(expiryText(expiredTimeOf(chosen) ?? 0)).toBe(chosen)
  })
})

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
