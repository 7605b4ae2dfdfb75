import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DESKTOP_REDUCTION, fitWithin, middleSquare } from './reduction.ts'

describe('reduction', () => {
  it('never enlarges, never exceeds the box, never reduces to nothing, and keeps the square inside', () => {
    const side = fc.integer({ min: 1, max: 20_000 })
    fc.assert(
      fc.property(side, side, (width, height) => {
        const fitted = fitWithin({ width, height }, DESKTOP_REDUCTION)
        expect(fitted.width).toBeLessThanOrEqual(Math.min(width, DESKTOP_REDUCTION.width))
        expect(fitted.height).toBeLessThanOrEqual(Math.min(height, DESKTOP_REDUCTION.height))
        expect(Math.min(fitted.width, fitted.height)).toBeGreaterThanOrEqual(1)
        const square = middleSquare({ width, height })
        expect(square.side).toBe(Math.min(width, height))
        expect(square.x * 2 + square.side).toBe(width)
        expect(square.y * 2 + square.side).toBe(height)
      }),
    )
  })
})
