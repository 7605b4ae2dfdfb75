import { describe, expect, it } from 'vitest'
import { abbreviateCount, formatCount, formatQuota } from './quota.ts'

const dollars = { quota_per_unit: 500_000, display_in_currency: true }
const points = { quota_per_unit: 500_000, display_in_currency: false }

describe('quota as money', () => {
  it.each([
    [500_000, 2, '$1.00'],
    [0, 2, '$0.00'],
    [1, 2, '$0.00'],
    [1, 4, '$0.0000'],
    [1, 6, '$0.000002'],
    [1.234, 6, '$0.000002'],
    [750_000, 2, '$1.50'],
    [500_000_000_000_000, 2, '$1,000,000,000.00'],
    [-250_000, 2, '-$0.50'],
    [-1, 2, '$0.00'],
  ] as const)('%d points with %d decimals read %s', { tags: 'A9.5' }, (quota, decimals, text) => {
    expect(formatQuota(quota, dollars, decimals)).toBe(text)
  })

  it('follows the stored quota per unit', { tags: 'A9.4' }, () => {
    expect(formatQuota(500, { quota_per_unit: 100, display_in_currency: true })).toBe('$5.00')
  })

  it('does not divide by a broken setting', () => {
    expect(formatQuota(500, { quota_per_unit: 0, display_in_currency: true })).toBe('$0.00')
  })
})

describe('counts', () => {
  it.each([
    [0, '0'],
    [950, '950'],
    [999, '999'],
    [1_000, '1.0K'],
    [1_550, '1.6K'],
    [999_949, '999.9K'],
    [999_950, '1.0M'],
    [2_000_000, '2.0M'],
    [-1_500, '-1.5K'],
    [0.25, '0.25'],
  ])('%d is abbreviated to %s', { tags: 'A9.6' }, (count, text) => {
    expect(abbreviateCount(count)).toBe(text)
    expect(formatQuota(count, points)).toBe(text)
  })

  it('are grouped in full', () => {
    expect(formatCount(1_234_567)).toBe('1,234,567')
  })
})
