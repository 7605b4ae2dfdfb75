import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { LIST_DEFAULTS, listSearchEntries, pageQueryOf } from './list-search.ts'

const schema = v.object(listSearchEntries())
const read = (search: unknown) => v.parse(schema, search)

describe('list state in the address', () => {
  it('has defaults for everything', { tags: 'B9.1' }, () => {
    expect(read({})).toEqual(LIST_DEFAULTS)
  })

  it('takes valid values', () => {
    const search = { p: 3, size: 50, sort: 'name', order: 'asc', keyword: 'ci' }
    expect(read(search)).toEqual(search)
  })

  it.each([
    ['p', -1],
    ['p', 1.5],
    ['p', 'x'],
    ['size', 11],
    ['size', 1_000],
    ['sort', 'name; drop'],
    ['sort', 7],
    ['order', 'up'],
    ['keyword', {}],
  ])('replaces the bad %s %j by its default', (name, value) => {
    expect(read({ [name]: value })).toEqual(LIST_DEFAULTS)
  })

  it('reads a numeric search text as text', () => {
    expect(read({ keyword: 42 }).keyword).toBe('42')
  })

  it('sends no order without a sort column', () => {
    expect(pageQueryOf(LIST_DEFAULTS)).toEqual({ p: '0', size: '10', sort: '', order: '' })
    expect(pageQueryOf({ ...LIST_DEFAULTS, p: 2, sort: 'name', order: 'asc' })).toEqual({
      p: '2',
      size: '10',
      sort: 'name',
      order: 'asc',
    })
  })
})
