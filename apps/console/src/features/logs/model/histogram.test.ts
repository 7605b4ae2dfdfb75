import { describe, expect, it } from 'vitest'
import { barsOf, heightOf, movedBrush, windowOf, stretchText } from './histogram.ts'

const HOUR = 3_600
const histogram = {
  bucket_seconds: HOUR,
  buckets: [
    { start: 2 * HOUR, entries: 3, quota: 1.5 },
    { start: 4 * HOUR, entries: 1, quota: 0 },
  ],
}
const window = { start: 2 * HOUR + 60, end: 5 * HOUR - 1 }

describe('a histogram', () => {
  it('has a bar for every interval of the window, cut off at its ends', () => {
    expect(barsOf(histogram, window)).toEqual([
      { start: 2 * HOUR + 60, end: 3 * HOUR - 1, entries: 3, quota: 1.5 },
      { start: 3 * HOUR, end: 4 * HOUR - 1, entries: 0, quota: 0 },
      { start: 4 * HOUR, end: 5 * HOUR - 1, entries: 1, quota: 0 },
    ])
    expect(barsOf(histogram, { start: 9, end: 8 }).length).toBeLessThanOrEqual(1)
  })

  it('starts after the cleared part, and then has finer intervals', () => {
    const rest = { bucket_seconds: 60, buckets: [{ start: 9_960, entries: 2, quota: 1 }] }
    const bars = barsOf(rest, { start: 0, end: 12_000 })
    expect(bars).toHaveLength(120)
    expect(bars.reduce((sum, { entries }) => sum + entries, 0)).toBe(2)
    expect(bars.at(-1)).toMatchObject({ start: 12_000, end: 12_000 })
  })

  it('gives the time range of the selected bars, whichever end the selection started from', () => {
    const bars = barsOf(histogram, window)
    expect(windowOf(bars, { anchor: 2, head: 1 })).toEqual({ start: 3 * HOUR, end: 5 * HOUR - 1 })
    expect(windowOf(bars, { anchor: 0, head: 0 })).toEqual({ start: 2 * HOUR + 60, end: 3 * HOUR - 1 })
    expect(windowOf([], { anchor: 0, head: 0 })).toBeUndefined()
  })

  it('is selected with the keyboard, with Shift from the current bar', () => {
    const at = { anchor: 5, head: 5 }
    expect(movedBrush(at, 'ArrowRight', false, 9)).toEqual({ anchor: 6, head: 6 })
    expect(movedBrush(at, 'ArrowLeft', true, 9)).toEqual({ anchor: 5, head: 4 })
    expect(movedBrush({ anchor: 5, head: 9 }, 'ArrowRight', true, 9)).toEqual({ anchor: 5, head: 9 })
    expect(movedBrush(at, 'Home', true, 9)).toEqual({ anchor: 5, head: 0 })
    expect(movedBrush(at, 'End', false, 9)).toEqual({ anchor: 9, head: 9 })
    expect(movedBrush(at, 'PageDown', false, 9)).toEqual({ anchor: 0, head: 0 })
    expect(movedBrush(at, 'a', false, 9)).toBeUndefined()
  })

  it('shows even the smallest value', () => {
    expect(heightOf(0, 10)).toBe(0)
    expect(heightOf(1, 100_000)).toBe(0.03)
    expect(heightOf(5, 10)).toBe(0.5)
    expect(heightOf(0, 0)).toBe(0)
  })
})

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
