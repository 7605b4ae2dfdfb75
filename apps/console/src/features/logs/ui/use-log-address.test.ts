import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { canFollow, FOLLOWING, viewSearchOf } from '~/features/logs/ui/use-log-address.ts'
import { logSearch } from '../model/filters/log-search.ts'

describe('the address of the logs', () => {
  const read = (search: unknown) => v.parse(logSearch, search)

  it('is kept by a saved view without page, panel and defaults', () => {
    const search = read({
      model: 'gpt-5',
      sort: 'quota',
      order: 'asc',
      p: 3,
      id: 7,
      live: true,
      size: 50,
      chart: 'cost',
    })
    expect(viewSearchOf(search)).toEqual({ model: 'gpt-5', sort: 'quota', order: 'asc', size: 50, chart: 'cost' })
    expect(viewSearchOf(read({}))).toEqual({})
  })

  it.each([
    ['another order', { sort: 'quota' }],
    ['the oldest first', { sort: 'created_at', order: 'asc' }],
    ['an end', { end: 9 }],
    ['another page', { p: 1 }],
    ['a search', { keyword: 'xy' }],
  ])('cannot be followed with %s until that is removed', (_name, part) => {
    expect(canFollow(read(part))).toBe(false)
    expect(canFollow({ ...read(part), ...FOLLOWING })).toBe(true)
  })
})
