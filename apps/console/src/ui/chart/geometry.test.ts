import { describe, expect, it } from 'vitest'
import { dayAxis, labelledDays, plotArea, valueAxis, valueTicks } from './geometry.ts'

const area = { left: 40, right: 740, top: 8, bottom: 256 }

describe('plot area', () => {
  it('leaves room for the longest label of the value axis', () => {
    expect(plotArea(800, 280, ['0', '$0.000123']).left).toBeGreaterThan(plotArea(800, 280, ['0', '1.0K']).left)
  })

  it('never gets a negative size, however narrow the window', () => {
    const narrow = plotArea(20, 280, ['1.0K'])
    expect(narrow.right).toBeGreaterThan(narrow.left)
  })
})

describe('days along the width', () => {
  const axis = dayAxis(7, area)

  it('are in the middle of equal bands', () => {
    expect(axis.step).toBe(100)
    expect([axis.x(0), axis.x(6)]).toEqual([90, 690])
  })

  it.each([
    [40, 0],
    [139.9, 0],
    [140, 1],
    [739, 6],
    [-100, 0],
    [2_000, 6],
  ])('the day under %d px is number %d', (x, day) => {
    expect(axis.at(x)).toBe(day)
  })

  it('have labels that do not touch, always including the last one', () => {
    expect(labelledDays(axis, area, 56)).toEqual([0, 1, 2, 3, 4, 5, 6])
    const month = labelledDays(dayAxis(30, area), area, 56)
    expect(month.at(-1)).toBe(29)
    expect(month.every((day, index) => index === 0 || day - (month[index - 1] ?? 0) === 3)).toBe(true)
  })
})

describe('values along the height', () => {
  it.each([
    [10, 5, false, [0, 2, 4, 6, 8, 10]],
    [1, 5, true, [0, 1]],
    [1, 5, false, [0, 0.2, 0.4, 0.6, 0.8, 1]],
    [0, 5, false, [0]],
  ])('up to %d in about %d lines, whole ones: %j', (max, wanted, whole, ticks) => {
    expect(valueTicks(max, wanted, whole)).toEqual(ticks)
  })

  it('begin at zero and end at or above the largest value', () => {
    const axis = valueAxis(97, 5, true, area)
    expect(axis.y(0)).toBe(area.bottom)
    expect(axis.y(97)).toBeGreaterThanOrEqual(area.top)
    expect(axis.y(100)).toBe(area.top)
  })
})
