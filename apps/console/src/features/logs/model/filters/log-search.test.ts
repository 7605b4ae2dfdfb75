import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { LOG_DEFAULTS, logSearch } from './log-search.ts'

describe('the address', () => {
  const read = (search: unknown) => v.parse(logSearch, search)

  it('has a default for every filter', () => {
    expect(read({})).toEqual(LOG_DEFAULTS)
  })

  it('takes valid values', () => {
    const search = {
      ...LOG_DEFAULTS,
      type: 2,
      model: 'gpt-5',
      token: 'ci',
      username: 'alice',
      channel: 3,
      start: 1,
      end: 2,
      stats: true,
      id: 7,
      sort: 'quota',
      order: 'asc',
    }
    expect(read(search)).toEqual(search)
  })

  it.each([
    ['type', 6],
    ['type', '2'],
    ['channel', 'x'],
    ['channel', 0],
    ['start', -1],
    ['end', 1.5],
    ['stats', 'yes'],
    ['id', 'x'],
    ['sort', 'drop table'],
  ])('ignores the bad %s %j', (name, value) => {
    expect(read({ [name]: value })).toEqual(LOG_DEFAULTS)
  })

  it('reads a model or token that looks like a number as text', () => {
    expect(read({ model: 4, token: 42 })).toMatchObject({ model: '4', token: '42' })
  })
})
