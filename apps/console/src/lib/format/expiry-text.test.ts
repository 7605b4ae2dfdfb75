import { describe, expect, it } from 'vitest'
import { expiredTimeOf, expiryText } from './expiry-text.ts'

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
