import { windowStart } from '@sluice/ledger/budget-window'
import { expect, test } from 'vitest'
import { keyUsage } from './key-usage.ts'

const NOW = Date.parse('2026-11-25T12:00:00Z')
const DOLLAR = 500_000_000n
const terms = { unit: 500_000, now: NOW }
const balance = { posted: 0n, held: 0n, spent: 0n, requests: 0, unlimited: true, budgets: [] }
const budget = (
  period: 'day' | 'week' | 'month',
  dollars: bigint,
  spent: bigint,
  windowStartMs = windowStart(period, NOW),
) => ({
  period,
  amount: dollars * DOLLAR,
  spent: spent * DOLLAR,
  windowStartMs,
})

test('what remains is the least of limit, balance and budgets, without what calls in flight hold', () => {
  const key = { ...balance, unlimited: false, posted: 9n * DOLLAR, held: DOLLAR, spent: 2n * DOLLAR }
  const owner = { ...balance, unlimited: false, posted: 50n * DOLLAR }
  expect(keyUsage(key, owner, terms)).toMatchObject({ remaining: 8, used: 2, total: 10 })
  expect(keyUsage(key, { ...owner, posted: 3n * DOLLAR }, terms)).toMatchObject({ remaining: 3, used: 2, total: 5 })
  const budgets = [budget('week', 4n, 3n)]
  expect(keyUsage({ ...key, budgets }, owner, terms)).toMatchObject({ remaining: 1, total: 3 })
  expect(keyUsage({ ...key, posted: -DOLLAR }, owner, terms)).toMatchObject({ remaining: 0, total: 2 })
})

test('a key without any limit has -1 left', () => {
  expect(keyUsage({ ...balance, spent: DOLLAR }, balance, terms)).toMatchObject({ remaining: -1, used: 1, total: -1 })
})

test('of two budgets of one period the one with less left is shown, and one whose window is over has spent nothing', () => {
  const key = { ...balance, budgets: [budget('day', 5n, 4n, 0), budget('month', 100n, 10n)] }
  const owner = { ...balance, budgets: [budget('month', 60n, 55n)] }
  expect(keyUsage(key, owner, terms)).toMatchObject({
    remaining: 5,
    subscription: {
      daily_usage_usd: 0,
      daily_limit_usd: 5,
      weekly_usage_usd: null,
      weekly_limit_usd: null,
      monthly_usage_usd: 55,
      monthly_limit_usd: 60,
      resets_at: '2026-11-26T00:00:00.000Z',
    },
  })
})
