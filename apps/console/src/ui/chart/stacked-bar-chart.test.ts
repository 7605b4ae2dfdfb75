import { describe, expect, it } from 'vitest'
import type { ChartSeries } from './chart-series.ts'
import { seriesAt, totalOfDay, valuesOfDay } from './chart-series.ts'
import { dayAxis, valueAxis } from './geometry.ts'
import { stackedBars, stackedMax } from './stacked-bar-chart.tsx'

const area = { left: 0, right: 200, top: 0, bottom: 100 }
const one = (key: string, values: readonly number[]): ChartSeries => ({
  key,
  name: key,
  values,
  total: values.reduce((sum, value) => sum + value, 0),
  colour: 0,
})
const series = [one('a', [30, 0]), one('b', [20, 100])]
const bars = stackedBars(series, dayAxis(2, area), valueAxis(100, 5, false, area))

describe('stacked bars', () => {
  it('are one path per series, in the order of the series', () => {
    expect(bars.map(({ key }) => key)).toEqual(['a', 'b'])
  })

  it('are stacked on each other', () => {
    expect(bars[0]?.d).toBe('M22 70h56v30h-56z')
    expect(bars[1]?.d).toBe('M22 50h56v20h-56zM122 0h56v100h-56z')
  })

  it('touch where a day is too narrow for gaps', () => {
    const narrow = stackedBars(
      [one('a', [100, 100])],
      dayAxis(2, { ...area, right: 8 }),
      valueAxis(100, 5, false, area),
    )
    expect(narrow[0]?.d).toBe('M0 0h4v100h-4zM4 0h4v100h-4z')
  })

  it('are as high as the sum of the day', () => {
    expect(stackedMax(series, 2)).toBe(100)
    expect(stackedMax([], 2)).toBe(0)
    expect(totalOfDay(series, 0)).toBe(50)
  })
})

describe('the layer at a height', () => {
  it.each([
    [0, 0, 'a'],
    [0, 29.9, 'a'],
    [0, 30, 'b'],
    [0, 50, undefined],
    [1, 10, 'b'],
    [0, -1, undefined],
  ])('of day %d and %d is %s', (day, value, key) => {
    expect(seriesAt(series, day, value)?.key).toBe(key)
  })
})

describe('values of a day', () => {
  it('are listed largest first, without zero values', () => {
    const names = (day: number) => valuesOfDay(series, day).map(({ series: { name }, value }) => [name, value])
    expect(names(0)).toEqual([
      ['a', 30],
      ['b', 20],
    ])
    expect(names(1)).toEqual([['b', 100]])
    expect(names(9)).toEqual([])
  })
})
