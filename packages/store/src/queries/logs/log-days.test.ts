import { describe, expect, test } from 'vitest'
import { locate } from './log-choice.ts'
import { DAY_SECONDS } from './log-filter.ts'
import { type LogDay, splitDays } from './log-tally.ts'

const midnight = (day: number): number => day * DAY_SECONDS
const day = (at: number, entries: number): LogDay => ({
  from: midnight(at),
  to: midnight(at + 1) - 1,
  entries,
  amount: 0n,
})

describe('a range of time', () => {
  test('is split into whole days and what is left at both ends', () => {
    expect(splitDays({})).toEqual({ whole: { first: undefined, last: undefined }, parts: [] })
    expect(splitDays({ from: midnight(3), to: midnight(6) - 1 })).toEqual({ whole: { first: 3, last: 5 }, parts: [] })
    expect(splitDays({ from: midnight(3) + 1, to: midnight(6) })).toEqual({
      whole: { first: 4, last: 5 },
      parts: [
        { from: midnight(3) + 1, to: midnight(4) - 1 },
        { from: midnight(6), to: midnight(6) },
      ],
    })
    expect(splitDays({ from: midnight(3) + 5 })).toMatchObject({ whole: { first: 4, last: undefined } })
    expect(splitDays({ to: midnight(3) + 5 })).toMatchObject({ parts: [{ from: midnight(3), to: midnight(3) + 5 }] })
  })

  test('within one day has no whole day', () => {
    const within = { from: midnight(3) + 1, to: midnight(3) + 9 }
    expect(splitDays(within)).toEqual({ whole: undefined, parts: [within] })
    expect(splitDays({ from: 9, to: 8 })).toEqual({ whole: undefined, parts: [] })
  })

  test('over one midnight has two parts and nothing between them', () => {
    const { whole, parts } = splitDays({ from: midnight(4) - 1, to: midnight(4) })
    expect(parts).toEqual([
      { from: midnight(4) - 1, to: midnight(4) - 1 },
      { from: midnight(4), to: midnight(4) },
    ])
    expect(whole).toEqual({ first: 4, last: 3 })
  })
})

describe('a page', () => {
  const days = [day(9, 4), day(7, 10), day(2, 1)]

  test('is found by the counts of the days before it', () => {
    expect(locate(days, { offset: 0, limit: 3 })).toEqual({
      span: { from: midnight(9), to: midnight(10) - 1 },
      skip: 0,
    })
    expect(locate(days, { offset: 3, limit: 3 })).toEqual({
      span: { from: midnight(7), to: midnight(10) - 1 },
      skip: 3,
    })
    expect(locate(days, { offset: 4, limit: 3 })).toEqual({ span: { from: midnight(7), to: midnight(8) - 1 }, skip: 0 })
    expect(locate(days, { offset: 13, limit: 9 })).toEqual({
      span: { from: midnight(2), to: midnight(8) - 1 },
      skip: 9,
    })
  })

  test('beyond the last row is not found', () => {
    expect(locate(days, { offset: 15, limit: 3 })).toBeUndefined()
    expect(locate([], { offset: 0, limit: 3 })).toBeUndefined()
  })
})
