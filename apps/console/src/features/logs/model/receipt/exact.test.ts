import { describe, expect, it } from 'vitest'
import { compareExact, formatExact } from './exact.ts'

describe('exact amounts', () => {
  it('are shown digit for digit, however long they are', () => {
    expect(formatExact('0')).toBe('0')
    expect(formatExact('999')).toBe('999')
    expect(formatExact('1000.5')).toBe('1,000.5')
    expect(formatExact('-1234567.000000001')).toBe('-1,234,567.000000001')
    expect(formatExact('9007199254740993.001')).toBe('9,007,199,254,740,993.001')
  })

  it('are compared by value, not as text and not as numbers', () => {
    expect(compareExact('9', '10')).toBe(-1)
    expect(compareExact('10.5', '10.50')).toBe(0)
    expect(compareExact('9007199254740993', '9007199254740992.999')).toBe(1)
    expect(compareExact('0', '0.001')).toBe(-1)
  })
})
