import { describe, expect, it } from 'vitest'
import { expiredTimeOf, expiryAfter, expiryText } from './expiry.ts'

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
    const chosen = expiryAfter({ days: 1 }, now)
    expect(expiryText(expiredTimeOf(chosen) ?? 0)).toBe(chosen)
  })
})
