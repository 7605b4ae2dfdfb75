import { expect, test } from 'vitest'
import { change, comparableRange, previousRange } from './comparison.ts'

const today = '2026-11-20'

test('a period is compared with the same number of days right before it', () => {
  expect(previousRange({ from: '2026-11-14', to: today })).toEqual({ from: '2026-11-07', to: '2026-11-13' })
  expect(previousRange({ from: today, to: today })).toEqual({ from: '2026-11-19', to: '2026-11-19' })
})

test('only as far back as the window reaches: three days for an ordinary user, not seven', () => {
  expect(comparableRange({ from: '2026-11-18', to: today }, 'own', today)).toEqual({
    from: '2026-11-15',
    to: '2026-11-17',
  })
  expect(comparableRange({ from: '2026-11-14', to: today }, 'own', today)).toBeUndefined()
  expect(comparableRange({ from: '2026-11-14', to: today }, 'any', today)).toBeDefined()
})

test('a change is a fraction of the value before, and undefined where that was zero', () => {
  expect(change(15, 10)).toBe(0.5)
  expect(change(0, 10)).toBe(-1)
  expect(change(5, 0)).toBeUndefined()
})
