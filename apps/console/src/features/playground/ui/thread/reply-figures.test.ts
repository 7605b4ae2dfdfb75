import { describe, expect, it } from 'vitest'
import { formatCost, tokensPerSecond } from './reply-figures.tsx'

const figures = { requestId: 'a'.repeat(32), firstTokenMs: 500, totalMs: 2_500, completionTokens: 120 }
const DOLLARS = { quota_per_unit: 500_000, display_in_currency: true }

describe('the speed of a reply', () => {
  it('counts from its first text', () => {
    expect(tokensPerSecond(figures)).toBe(60)
  })

  it('is unknown without tokens, without text, and when everything arrived at once', () => {
    expect(tokensPerSecond({ requestId: '', firstTokenMs: 500, totalMs: 2_500 })).toBeUndefined()
    expect(tokensPerSecond({ requestId: '', completionTokens: 9, totalMs: 2_500 })).toBeUndefined()
    expect(tokensPerSecond({ ...figures, totalMs: 550 })).toBeUndefined()
  })
})

describe('the cost of a reply', () => {
  it('is money with six decimals', () => {
    expect(formatCost('617', DOLLARS)).toBe('$0.001234')
  })

  it('is shown as less than the last decimal rather than as zero', () => {
    expect(formatCost('0.125', DOLLARS)).toBe('<$0.000001')
    expect(formatCost('0', DOLLARS)).toBe('$0.000000')
  })

  it('is points where the settings say so', () => {
    expect(formatCost('617.125', { ...DOLLARS, display_in_currency: false })).toBe('617.125')
  })
})
