import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { jsonErrorOffset, jsonErrorPosition } from './json-position.ts'

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

const nearlyJson = fc
  .tuple(fc.json(), fc.nat(), fc.constantFrom('', '{', '}', '[', ']', ',', ':', '"', '\\', '0', 'x', '\n'))
  .chain(([text, at, piece]) => {
    const place = at % (text.length + 1)
    return fc.constantFrom(text, text.slice(0, place) + piece + text.slice(place), text.slice(0, place))
  })

describe('position of the first JSON error', () => {
  it('is undefined exactly for what the platform parses', () => {
    fc.assert(
      fc.property(nearlyJson, (text) => (jsonErrorOffset(text) === undefined) === isJson(text)),
      {
        numRuns: 2_000,
      },
    )
  })

  it('is after the part that could still become valid', () => {
    fc.assert(
      fc.property(fc.json(), fc.nat(), (text, at) => {
        const head = text.slice(0, at % (text.length + 1))
        const offset = jsonErrorOffset(head)
        return offset === undefined || offset <= head.length
      }),
    )
  })

  it.each([
    ['{\n  "a": "b",\n  "c" "d"\n}', { line: 3, column: 7 }],
    ['{"a": 1,}', { line: 1, column: 9 }],
    ['{"a": 1', { line: 1, column: 8 }],
    ['[1 2]', { line: 1, column: 4 }],
    ["{'a': 1}", { line: 1, column: 2 }],
    ['{"a": tru}', { line: 1, column: 7 }],
    ['{} x', { line: 1, column: 4 }],
  ])('of %j is %j', (text, position) => {
    expect(jsonErrorPosition(text)).toEqual(position)
  })

  it('is found in deeply nested text without exhausting the stack', () => {
    expect(jsonErrorOffset('['.repeat(100_000))).toBe(100_000)
  })
})
