import { describe, expect, it } from 'vitest'
import { placeOn } from './attempt-list.tsx'

describe('position on the line', () => {
  it.each([
    [100, 0, 50, 0, 0.5],
    [100, 50, 50, 0.5, 0.5],
    [100, 90, 50, 0.9, 0.1],
    [1_000, 500, 0, 0.5, 0.005],
    [100, 200, 10, 0.995, 0.005],
  ])('of %d: from %d for %d', (span, start, duration, left, width) => {
    const place = placeOn(span, start, duration)
    expect(place.left).toBeCloseTo(left)
    expect(place.width).toBeCloseTo(width)
  })
})
