import { describe, expect, test } from 'vitest'
import { isTimezone, openWindow, type TimeWindow } from './time-window.ts'

const window = (more: Partial<TimeWindow>): ((iso: string) => boolean) => {
  const holdsAt = openWindow({ name: 'w', timezone: 'UTC', ranges: [], ...more })
  return (iso) => holdsAt(Date.parse(iso))
}

test('a range applies from its start up to its end', () => {
  const holds = window({ ranges: [{ start: '09:00', end: '12:30' }] })
  expect(holds('2026-11-21T08:59:59Z')).toBe(false)
  expect(holds('2026-11-21T09:00:00Z')).toBe(true)
  expect(holds('2026-11-21T12:29:59Z')).toBe(true)
  expect(holds('2026-11-21T12:30:00Z')).toBe(false)
})

test('times are those of the zone, even when its clocks change', () => {
  const holds = window({ timezone: 'America/New_York', ranges: [{ start: '09:00', end: '10:00' }] })
  expect(holds('2026-07-01T13:30:00Z')).toBe(true)
  expect(holds('2026-12-01T13:30:00Z')).toBe(false)
  expect(holds('2026-12-01T14:30:00Z')).toBe(true)
})

describe('a range that passes midnight', () => {
  // 20 November 2026 is a Friday.
  const holds = window({ ranges: [{ start: '22:00', end: '06:00' }], days: [5] })

  test('belongs to the day on which it starts', () => {
    expect(holds('2026-11-20T05:00:00Z')).toBe(false)
    expect(holds('2026-11-20T22:00:00Z')).toBe(true)
    expect(holds('2026-11-21T05:59:59Z')).toBe(true)
    expect(holds('2026-11-21T06:00:00Z')).toBe(false)
    expect(holds('2026-11-21T22:00:00Z')).toBe(false)
  })

  test('of equal start and end is a whole day', () => {
    const always = window({ ranges: [{ start: '00:00', end: '00:00' }] })
    expect(always('2026-11-20T00:00:00Z')).toBe(true)
    expect(always('2026-11-20T23:59:59Z')).toBe(true)
  })
})

test('dates apply from the first day up to the last one, which is not part of it', () => {
  const holds = window({ dateFrom: '2026-11-20', dateTo: '2026-11-22', timezone: 'Asia/Shanghai' })
  expect(holds('2026-11-19T15:59:59Z')).toBe(false)
  expect(holds('2026-11-19T16:00:00Z')).toBe(true)
  expect(holds('2026-11-21T15:59:59Z')).toBe(true)
  expect(holds('2026-11-21T16:00:00Z')).toBe(false)
})

test('a zone is known by its name', () => {
  expect(isTimezone('Asia/Shanghai')).toBe(true)
  expect(isTimezone('Moon/Base')).toBe(false)
})
