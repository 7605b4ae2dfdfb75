import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { exactSearch, textParameter } from './exact-search.ts'

const { parseSearch, stringifySearch } = exactSearch

describe('query of an address', () => {
  it.each(['12345678901234567890', '1e5', '007', '1.0', '-0', 'true', 'null', '42', 'abc', 'a+b@example.com', '{'])(
    'a code %j arrives as it was sent',
    (code) => {
      const query = parseSearch(`?${new URLSearchParams({ code }).toString()}`)
      expect(v.parse(v.object({ code: textParameter }), query)).toEqual({ code })
    },
  )

  it('numbers and nested lists are parsed as before, and written as they were parsed', () => {
    const query = parseSearch('?p=2&open=true&names=%5B%22a%22%5D&code=1e5')
    expect(query).toEqual({ p: 2, open: true, names: ['a'], code: '1e5' })
    expect(parseSearch(stringifySearch(query))).toEqual(query)
  })

  it.each(['', '?code=', '?code=1&code=2', '?code=%7B%22a%22%3A1%7D'])('%j names no code', (query) => {
    expect(v.parse(v.object({ code: textParameter }), parseSearch(query))).toEqual({ code: '' })
  })
})
