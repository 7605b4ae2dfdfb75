import { describe, expect, it } from 'vitest'
import { axisDecimals, clockTime, dayNames, formatChange, metricFormat } from './formats.ts'

const money = { quota_per_unit: 500_000, display_in_currency: true }
const points = { ...money, display_in_currency: false }

describe('values of a chart', () => {
  it.each([
    ['expenses', money, '$1.50', '$1.500000'],
    ['expenses', points, '750.0K', '750.0K'],
    ['tokens', money, '750.0K', '750,000'],
    ['requests', money, '750.0K', '750,000'],
  ] as const)('%s with %o read %s on the axis and %s in the tooltip', (metric, display, axis, exact) => {
    const format = metricFormat(metric, display, 750_000)
    expect(format.axis(750_000)).toBe(axis)
    expect(format.exact(750_000)).toBe(exact)
  })

  it('are whole where fractions make no sense', () => {
    expect(metricFormat('requests', money, 1).fractions).toBe(false)
    expect(metricFormat('expenses', money, 1).fractions).toBe(true)
  })

  it.each([
    [500_000, 2],
    [25_000, 2],
    [24_999, 4],
    [250, 4],
    [249, 6],
    [0, 2],
  ])('an axis up to %d points has %d decimals', (max, decimals) => {
    expect(axisDecimals(max, money)).toBe(decimals)
  })
})

describe('names of days', () => {
  it('are those of the UTC day in the visitor’s language', () => {
    expect(dayNames(['2026-11-14'], 'en')).toEqual([
      { iso: '2026-11-14', short: 'Nov 14', long: 'Saturday, November 14, 2026' },
    ])
    expect(dayNames(['2026-11-14'], 'zh-CN')[0]?.short).toBe('11月14日')
  })
})

describe('the clock', () => {
  it('shows hours, minutes and seconds with two digits', () => {
    expect(clockTime(new Date(2026, 10, 20, 0, 5, 9).getTime(), 'en')).toBe('00:05:09')
  })
})

describe('a change', () => {
  it.each([
    [0.125, '+12.5%'],
    [-0.03, '-3%'],
    [0, '0%'],
    [12, '+1,200%'],
  ])('of %d reads %s', (part, text) => {
    expect(formatChange(part)).toBe(text)
  })
})
