import { describe, expect, it, test } from 'vitest'
import {
  leader,
  modelsInUse,
  overview,
  peakDay,
  totalsByDay,
  change,
  comparableRange,
  previousRange,
} from './summary.ts'

const row = (Day: string, ModelName: string, RequestCount: number, Quota: number, tokens: number) => ({
  Day,
  ModelName,
  RequestCount,
  Quota,
  PromptTokens: tokens - 1,
  CompletionTokens: 1,
})
const rows = [
  row('2026-11-18', 'small', 6, 300, 100),
  row('2026-11-18', 'large', 2, 900, 50),
  row('2026-11-20', 'small', 2, 100, 400),
  row('2026-11-10', 'old', 99, 9_999, 9_999),
]
const days = ['2026-11-18', '2026-11-19', '2026-11-20']
const totals = totalsByDay(rows, days)

describe('totals by day', () => {
  it('add up the rows of a day, fill other days with zero, and leave out days outside the range', () => {
    expect(totals).toEqual([
      { day: '2026-11-18', requests: 8, expenses: 1_200, tokens: 150 },
      { day: '2026-11-19', requests: 0, expenses: 0, tokens: 0 },
      { day: '2026-11-20', requests: 2, expenses: 100, tokens: 400 },
    ])
  })
})

describe('overview', () => {
  it('divides the totals by every day of the range', () => {
    const { total, perDay } = overview(totals)
    expect(total).toEqual({ requests: 10, expenses: 1_300, tokens: 550 })
    expect(perDay.requests).toBeCloseTo(10 / 3)
    expect(perDay.expenses).toBeCloseTo(1_300 / 3)
    expect(perDay.tokens).toBeCloseTo(550 / 3)
  })

  it('divides the cost by all requests, and averages it by day over the days that had any', () => {
    expect(overview(totals).costPerRequest).toBe(130)
    expect(overview(totals).dailyCostPerRequest).toBe((150 + 50) / 2)
  })

  it('is all zero without usage', () => {
    expect(overview(totalsByDay([], days))).toEqual({
      total: { requests: 0, expenses: 0, tokens: 0 },
      perDay: { requests: 0, expenses: 0, tokens: 0 },
      costPerRequest: 0,
      dailyCostPerRequest: 0,
    })
  })
})

describe('peaks', () => {
  it.each([
    ['requests', '2026-11-18'],
    ['tokens', '2026-11-20'],
  ] as const)('the day with the most %s is %s', (metric, day) => {
    expect(peakDay(totals, metric)?.day).toBe(day)
  })

  it('the earlier of two equal days wins; there is none without usage', () => {
    const equal = totalsByDay([row('2026-11-18', 'm', 1, 1, 1), row('2026-11-19', 'm', 1, 1, 1)], days)
    expect(peakDay(equal, 'requests')?.day).toBe('2026-11-18')
    expect(peakDay(totalsByDay([], days), 'requests')).toBeUndefined()
  })
})

describe('leading models', () => {
  const inRange = rows.slice(0, 3)
  it.each([
    ['requests', { model: 'small', value: 8 }],
    ['tokens', { model: 'small', value: 500 }],
    ['expenses', { model: 'large', value: 900 }],
  ] as const)('by %s', (metric, expected) => {
    expect(leader(inRange, metric)).toEqual(expected)
  })

  it('the alphabetically first of equals wins', () => {
    expect(leader([row('2026-11-18', 'b', 1, 1, 1), row('2026-11-18', 'a', 1, 1, 1)], 'requests')?.model).toBe('a')
  })

  it('there is none without usage', () => {
    expect(leader([], 'requests')).toBeUndefined()
    expect(leader([row('2026-11-18', 'free', 3, 0, 1)], 'expenses')).toBeUndefined()
  })

  it('counts the models that replied', () => {
    expect(modelsInUse(inRange)).toBe(2)
    expect(modelsInUse([row('2026-11-18', 'silent', 0, 0, 1)])).toBe(0)
  })
})

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
