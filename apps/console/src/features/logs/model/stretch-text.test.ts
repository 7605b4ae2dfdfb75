import { describe, expect, it } from 'vitest'
import { stretchText } from './stretch-text.ts'

const at = (day: number, hour: number, minute: number, second = 0) =>
  new Date(2026, 10, day, hour, minute, second).getTime() / 1_000

describe('a time range', () => {
  it('names its day once', () => {
    expect(stretchText({ start: at(20, 14, 0), end: at(20, 15, 59, 59) })).toBe('2026-11-20 14:00 – 15:59')
  })

  it('names both days where there are two', () => {
    expect(stretchText({ start: at(20, 14, 0), end: at(21, 13, 59, 59) })).toBe('2026-11-20 14:00 – 2026-11-21 13:59')
  })
})
