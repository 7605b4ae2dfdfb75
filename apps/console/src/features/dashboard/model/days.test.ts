import { describe, expect, it } from 'vitest'
import { addDays, countDays, dayOf, listDays, parseDay, startOfDay } from './days.ts'

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
