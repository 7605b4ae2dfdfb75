import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { keySet } from './key-set.ts'
import { isScanFault, scanObject } from './scan.ts'
import { cutMember, type Splice, splice, splicedLength } from './splice.ts'

const joined = (chunks: readonly Uint8Array[]): Uint8Array => Uint8Array.from(chunks.flatMap((chunk) => [...chunk]))

/** A body and splices that do not overlap, in any order. */
const edited = fc.uint8Array({ maxLength: 60 }).chain((body) =>
  fc.record({
    body: fc.constant(body),
    splices: fc
      .tuple(
        fc.uniqueArray(fc.nat(body.length), { maxLength: 8 }),
        fc.array(fc.uint8Array({ maxLength: 5 }), { minLength: 4, maxLength: 4 }),
      )
      .map(([places, texts]) => {
        const sorted = places.sort((a, b) => a - b)
        return texts.flatMap((bytes, i): Splice[] => {
          const [start, end] = [sorted[2 * i], sorted[2 * i + 1]]
          return start === undefined || end === undefined ? [] : [{ start, end, bytes }]
        })
      })
      .chain((splices) => fc.shuffledSubarray(splices)),
  }),
)

test('bytes outside the spans are the body’s own, bytes inside are the replacement', () => {
  fc.assert(
    fc.property(edited, ({ body, splices }) => {
      const before = body.slice()
      const chunks = splice(body, splices)
      const expected = [...body]
      for (const { start, end, bytes } of [...splices].sort((a, b) => b.start - a.start))
        expected.splice(start, end - start, ...bytes)
      expect(joined(chunks)).toStrictEqual(Uint8Array.from(expected))
      expect(splicedLength(body, splices)).toBe(expected.length)
      expect(body).toStrictEqual(before)
    }),
  )
})

test('untouched parts are views of the body', () => {
  const body = new TextEncoder().encode('{"model":"a","stream":true}')
  const chunks = splice(body, [{ start: 9, end: 12, bytes: new TextEncoder().encode('"b"') }])
  expect(chunks.map((chunk) => chunk.buffer === body.buffer)).toStrictEqual([true, false, true])
  expect(splice(body, [])).toStrictEqual([body])
})

test('two insertions at one index keep their order and precede a replacement there', () => {
  const text = (s: string): Uint8Array => new TextEncoder().encode(s)
  const chunks = splice(text('abc'), [
    { start: 1, end: 2, bytes: text('B') },
    { start: 1, end: 1, bytes: text('1') },
    { start: 1, end: 1, bytes: text('2') },
  ])
  expect(new TextDecoder().decode(joined(chunks))).toBe('a12Bc')
})

test('overlapping and outside splices are bugs', () => {
  const body = Uint8Array.of(1, 2, 3, 4)
  const none = new Uint8Array()
  expect(() =>
    splice(body, [
      { start: 0, end: 2, bytes: none },
      { start: 1, end: 3, bytes: none },
    ]),
  ).toThrow(RangeError)
  expect(() => splice(body, [{ start: 2, end: 5, bytes: none }])).toThrow(RangeError)
  expect(() => splice(body, [{ start: 2, end: 1, bytes: none }])).toThrow(RangeError)
})

test('a member is cut from an object wherever it is, and nothing else', () => {
  const members = fc.dictionary(
    fc.string().filter((key) => key.toLowerCase() !== 'models' && key !== '__proto__'),
    fc.jsonValue(),
    {
      maxKeys: 4,
    },
  )
  const space = fc.constantFrom('', ' ', '\n\t')
  fc.assert(
    fc.property(
      members,
      fc.jsonValue(),
      fc.nat(4),
      space,
      fc.constantFrom('models', 'm\\u006fdels'),
      (others, value, at, s, key) => {
        const written = Object.entries(others).map(
          ([name, each]) => `${s}${JSON.stringify(name)}${s}:${s}${JSON.stringify(each)}${s}`,
        )
        const text = `${s}{${written.toSpliced(at, 0, `${s}"${key}"${s}:${s}${JSON.stringify(value)}${s}`).join(',')}}`
        const body = new TextEncoder().encode(text)
        const scanned = scanObject(body, keySet('models'))
        if (isScanFault(scanned) || scanned.values.models === undefined) throw new Error(text)
        const rest = new TextDecoder().decode(joined(splice(body, [cutMember(body, scanned.values.models)])))
        expect(JSON.parse(rest)).toEqual(JSON.parse(JSON.stringify(others)))
      },
    ),
  )
})
