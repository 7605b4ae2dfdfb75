import { expect, test } from 'vitest'
import { budgetOf, effortOf, nearestEffort } from './efforts.ts'

test.each([
  [{ off: true }, 0, 'none'],
  [{ effort: 'medium' }, 8_192, 'medium'],
  [{ budget: 5_000 }, 5_000, 'medium'],
  [{ budget: 100_000 }, 100_000, 'max'],
  [{ budget: 0 }, 0, 'none'],
  [{ adaptive: true }, undefined, undefined],
] as const)('%o amounts to %s tokens, or effort %s', (wish, budget, effort) => {
  expect([budgetOf(wish), effortOf(wish)]).toStrictEqual([budget, effort])
})

test('a model receives the closest effort that it knows', () => {
  expect(nearestEffort('max', ['low', 'medium', 'high'])).toBe('high')
  expect(nearestEffort('minimal', ['none', 'low', 'high'])).toBe('low')
  expect(nearestEffort('medium', ['medium'])).toBe('medium')
})
