import { describe, expect, it } from 'vitest'
import {
  checkRange,
  defaultRange,
  quickRange,
  quickRangeOf,
  rangeLimits,
  addDays,
  countDays,
  dayOf,
  listDays,
  parseDay,
  startOfDay,
} from './range.ts'

describe('days', () => {
  it.each([
    [Date.UTC(2026, 10, 20, 0, 0, 0), '2026-11-20'],
    [Date.UTC(2026, 10, 20, 23, 59, 59, 999), '2026-11-20'],
    [Date.UTC(2026, 10, 21), '2026-11-21'],
  ])('the time %d is on %s', (at, day) => {
    expect(dayOf(at)).toBe(day)
  })

  it.each([
    ['2026-11-20', '2026-11-20'],
    ['2028-02-29', '2028-02-29'],
    ['2026-02-29', undefined],
    ['2026-02-30', undefined],
    ['2026-13-01', undefined],
    ['2026-1-1', undefined],
    ['0002-01-01', '0002-01-01'],
    ['20261120', undefined],
    ['', undefined],
  ])('%j is read as %s', (text, day) => {
    expect(parseDay(text)).toBe(day)
  })

  it.each([
    ['2026-03-01', -1, '2026-02-28'],
    ['2026-12-31', 1, '2027-01-01'],
    ['2026-11-20', 0, '2026-11-20'],
    ['2026-10-25', 1, '2026-10-26'],
  ])('%s plus %d days is %s', (day, count, expected) => {
    expect(addDays(day, count)).toBe(expected)
  })

  it('counts both ends, and returns 0 when they are in the wrong order', () => {
    expect(countDays('2026-11-20', '2026-11-20')).toBe(1)
    expect(countDays('2026-11-14', '2026-11-20')).toBe(7)
    expect(countDays('2026-11-21', '2026-11-20')).toBe(0)
  })

  it('lists every day across a month', () => {
    expect(listDays('2026-02-27', '2026-03-02')).toEqual(['2026-02-27', '2026-02-28', '2026-03-01', '2026-03-02'])
  })

  it('begins at midnight UTC', () => {
    expect(startOfDay('1970-01-02')).toBe(86_400_000)
  })
})

const today = '2026-11-20'

describe('quick ranges', () => {
  it.each([
    ['today', '2026-11-20'],
    ['week', '2026-11-14'],
    ['month', '2026-10-22'],
  ] as const)('%s begins on %s and ends today', (range, from) => {
    expect(quickRange(range, today)).toEqual({ from, to: today })
    expect(quickRangeOf({ from, to: today }, today)).toBe(range)
  })

  it('opens with the last seven days including today', () => {
    expect(defaultRange(today)).toEqual({ from: '2026-11-14', to: today })
  })

  it.each([
    { from: '2026-11-15', to: today },
    { from: '2026-11-13', to: '2026-11-19' },
  ])('$from to $to is not one of them', (range) => {
    expect(quickRangeOf(range, today)).toBeUndefined()
  })
})

describe('limits of the date inputs', () => {
  it('reach back seven days, or 365 for holders of dashboard.anyUser', () => {
    expect(rangeLimits('own', today)).toEqual({ min: '2026-11-13', max: today })
    expect(rangeLimits('any', today)).toEqual({ min: '2025-11-20', max: today })
  })
})

describe('a valid range', () => {
  it.each([
    ['own', today, today],
    ['own', '2026-11-14', today],
    ['own', '2026-11-13', '2026-11-19'],
    ['any', '2026-10-22', today],
    ['any', '2025-11-21', today],
    ['any', '2025-11-20', '2026-11-19'],
  ] as const)('%s: %s to %s', (window, from, to) => {
    expect(checkRange({ from, to }, window, today)).toBeUndefined()
  })
})

describe('an invalid range', () => {
  it.each([
    ['own', '2026-11-20', '2026-11-19', 'from', 'fromAfterTo'],
    ['own', '2026-11-20', '2026-11-21', 'to', 'toInFuture'],
    ['own', '2026-11-12', today, 'from', 'fromTooEarly'],
    ['own', '2026-10-22', today, 'from', 'fromTooEarly'],
    ['own', '2026-11-13', today, 'to', 'tooLong'],
    ['any', '2025-11-19', today, 'from', 'fromTooEarly'],
    ['any', '2025-11-20', today, 'to', 'tooLong'],
    ['any', '2026-11-20', '2026-11-21', 'to', 'toInFuture'],
    ['own', '', today, 'from', 'fromInvalid'],
    ['own', '2026-02-30', today, 'from', 'fromInvalid'],
    ['own', today, '', 'to', 'toInvalid'],
  ] as const)('%s: %s to %s names %s and says %s', (window, from, to, field, rule) => {
    expect(checkRange({ from, to }, window, today)).toEqual({ field, rule })
  })
})
