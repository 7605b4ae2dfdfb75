import type { Budget } from '@sluice/contract/budget'
import { budgetsInput } from '@sluice/contract/budget'
import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { budgetFieldsSchema, fieldsOfBudgets, NO_BUDGETS, tightestBudget } from './budgets.ts'
import { en } from './texts/quota-texts.ts'

const schema = budgetFieldsSchema(en)
const day: Budget = { period: 'day', quota: 100, used_quota: 20, resets_time: 1_000 }
const month: Budget = { period: 'month', quota: 900, used_quota: 90, resets_time: 9_000 }

describe('the budget fields', () => {
  it('are stored as entered: an empty one sets no budget, a zero one a budget of zero', () => {
    const budgets = v.parse(schema, { day: 0, week: null, month: 5 })
    expect(budgets).toEqual([
      { period: 'day', quota: 0 },
      { period: 'month', quota: 5 },
    ])
    expect(v.is(budgetsInput, budgets)).toBe(true)
    expect(v.parse(schema, NO_BUDGETS)).toEqual([])
  })

  it.each([
    [Number.NaN, 'Enter a number of quota points, or leave it empty'],
    [-1, 'A budget must not be negative'],
    [0.5, 'A budget must be a whole number'],
    [Number.MAX_SAFE_INTEGER, 'This budget is too large'],
  ])('refuse %d', (week, message) => {
    const { issues } = v.safeParse(schema, { ...NO_BUDGETS, week })
    expect(issues?.map((issue) => [v.getDotPath(issue), issue.message])).toEqual([['week', message]])
  })

  it('show stored budgets', () => {
    expect(fieldsOfBudgets([month, day])).toEqual({ day: 100, week: null, month: 900 })
  })
})

describe('the tightest budget', () => {
  it('is the one with the largest used share', () => {
    expect(tightestBudget([day, month])).toEqual({ budget: day, share: 0.2 })
    expect(tightestBudget([])).toBeUndefined()
  })

  it('is, among equals, the one that resets last, and a budget of zero counts as used up', () => {
    const empty = { ...day, quota: 0, used_quota: 0 }
    expect(tightestBudget([{ ...day, used_quota: 10 }, month])?.budget).toBe(month)
    expect(tightestBudget([month, empty])).toEqual({ budget: empty, share: 1 })
  })
})
