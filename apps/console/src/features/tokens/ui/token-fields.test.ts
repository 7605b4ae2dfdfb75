import { describe, expect, it } from 'vitest'
import { expiredTimeOf } from '~/lib/format/date.ts'
import { expiryAfter } from './token-fields.tsx'

const now = new Date(2026, 0, 31, 23, 59, 59).getTime()
const DAY = 86_400_000

describe('quick expiry', { tags: 'A2.57' }, () => {
  it.each([
    [{ months: 1 }, 30 * DAY],
    [{ days: 1 }, DAY],
    [{ hours: 1 }, 3_600_000],
    [{ minutes: 1 }, 60_000],
    [{ months: 2, days: 3, hours: 4, minutes: 5 }, 63 * DAY + 4 * 3_600_000 + 5 * 60_000],
  ])('%j is that far from now, to the second', (step, distance) => {
    expect(expiredTimeOf(expiryAfter(step, now))).toBe((now + distance) / 1_000)
  })

  it('clears with all zero', () => {
    expect(expiryAfter({}, now)).toBe('')
    expect(expiryAfter({ months: 0, days: 0, hours: 0, minutes: 0 }, now)).toBe('')
  })
})
