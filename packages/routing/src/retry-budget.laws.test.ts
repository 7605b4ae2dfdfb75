import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createRetryBudget, createRetryBudgets } from './retry-budget.ts'

const steps = fc.array(fc.record({ isRetry: fc.boolean(), gap: fc.nat(1_500) }), { minLength: 1, maxLength: 300 })

describe('the budget of further tries', () => {
  test('grants a try exactly while those of ten seconds stay below a fifth of the calls plus ten', () => {
    fc.assert(
      fc.property(steps, fc.nat(10), (taken, factor) => {
        const budget = createRetryBudget()
        let now = 1_800_000_000_000
        const sent: number[] = []
        const retried: number[] = []
        for (const { isRetry, gap } of taken) {
          now += Math.floor(gap / (factor + 1))
          const second = Math.floor(now / 1_000)
          const recent = (seconds: readonly number[]) => seconds.filter((each) => each > second - 10).length
          if (!isRetry) {
            budget.sent(now)
            sent.push(second)
            continue
          }
          const expected = recent(retried) < 10 + Math.floor(recent(sent) * 0.2)
          expect(budget.take(now)).toBe(expected)
          if (expected) retried.push(second)
        }
      }),
    )
  })

  test('cannot multiply a load: when every call fails, six calls arrive for five', () => {
    const budget = createRetryBudget()
    let arrived = 0
    for (let now = 0; now < 100_000; now += 10) {
      budget.sent(now)
      arrived += 1
      for (let tries = 0; tries < 5 && budget.take(now); tries++) arrived += 1
    }
    expect(arrived).toBeGreaterThan(10_000)
    expect(arrived).toBeLessThanOrEqual(10_000 * 1.2 + 10 * 11)
  })

  test('is not confused by a clock that is set back', () => {
    const budget = createRetryBudget()
    for (let n = 0; n < 10; n++) expect(budget.take(100_000)).toBe(true)
    expect(budget.take(50_000)).toBe(false)
    expect(budget.take(110_000)).toBe(true)
  })

  test('is separate for each name, and the number of names is limited', () => {
    const budgets = createRetryBudgets(2)
    for (let n = 0; n < 10; n++) budgets.of('a').take(1_000)
    expect(budgets.of('a').take(1_000)).toBe(false)
    expect(budgets.of('b').take(1_000)).toBe(true)
    expect(budgets.of('a').take(1_000)).toBe(false)
    const b = budgets.of('b')
    budgets.of('a')
    budgets.of('c')
    expect(budgets.of('b')).not.toBe(b)
  })
})
