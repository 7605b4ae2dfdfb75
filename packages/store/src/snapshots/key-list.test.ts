import { describe, expect, it } from 'vitest'
import { readKeys, writeKeys } from './key-list.ts'

describe('the keys of a channel', () => {
  it.each([
    ['one as it stands', ['["not", a list']],
    ['several as a list', ['a', 'b']],
    ['documents with lines of their own', ['{\n"a":1\n}', '{"b":2}']],
  ])('are read as they were written: %s', (_, keys) => {
    const { text, count } = writeKeys(keys)
    expect(count).toBe(keys.length === 1 ? 0 : keys.length)
    expect(readKeys(text, count)).toEqual(keys)
  })

  it('stay a list of one where that was requested', () => {
    expect(writeKeys(['a'], true)).toEqual({ text: '["a"]', count: 1 })
  })

  it.each(['', 'sk-plain', '{}', '[1]', '["a", null]'])('cannot be read from %j when it should be a list', (text) => {
    expect(readKeys(text, 2)).toBeUndefined()
  })
})
