import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { rangeOf, requestOf, searchOf } from './range.ts'
import { dashboardSearch } from './search.ts'

const today = '2026-11-20'
const week = { from: '2026-11-14', to: today }

describe('the address', () => {
  it.each([
    [{}, { metric: 'tokens', audit: false }],
    [
      { from: '2026-11-01', to: '2026-11-02', user: 7, metric: 'expenses', audit: true },
      { from: '2026-11-01', to: '2026-11-02', user: 7, metric: 'expenses', audit: true },
    ],
    [
      { from: 5, to: {}, user: 'all', metric: 'cost', audit: 1 },
      { metric: 'tokens', audit: false },
    ],
    [{ user: 0 }, { metric: 'tokens', audit: false }],
  ])('%j is read as %j', (search, expected) => {
    expect(v.parse(dashboardSearch, search)).toEqual(expected)
  })

  it('is empty for the default range, which moves on with the days', () => {
    expect(searchOf(week, today)).toEqual({ from: undefined, to: undefined })
    expect(searchOf({ from: today, to: today }, today)).toEqual({ from: today, to: today })
  })

  it('fills a missing side from the default range', () => {
    expect(rangeOf({}, today)).toEqual(week)
    expect(rangeOf({ from: '2026-11-18' }, today)).toEqual({ from: '2026-11-18', to: today })
  })
})

describe('the request to the server', () => {
  it('covers everyone for users who may see that, and their own account for the others, whatever the address says', () => {
    expect(requestOf({}, 'any', today)).toEqual({ range: week, user: 'all' })
    expect(requestOf({ user: 7 }, 'any', today)).toEqual({ range: week, user: '7' })
    expect(requestOf({ user: 7 }, 'own', today)).toEqual({ range: week, user: '' })
  })

  it('is undefined while the range breaks a rule', () => {
    expect(requestOf({ from: '2026-11-21' }, 'any', today)).toBeUndefined()
    expect(requestOf({ from: '2026-10-22' }, 'own', today)).toBeUndefined()
  })
})
