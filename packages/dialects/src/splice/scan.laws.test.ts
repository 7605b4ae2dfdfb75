import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { keySet } from './key-set.ts'
import { isScanFault, parseSpan, scanObject } from './scan.ts'

const KEYS = keySet('model', 'stream', 'n')
const encode = (text: string): Uint8Array => new TextEncoder().encode(text)

/** The result of the platform's own parser, which also refuses invalid UTF-8. */
function platformParse(bytes: Uint8Array): { readonly value: unknown } | 'invalid' {
  try {
    return { value: JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)) }
  } catch {
    return 'invalid'
  }
}

/** Puts bytes at an odd offset of a larger buffer, where whole words do not start at the first byte. */
function shifted(bytes: Uint8Array, by: number): Uint8Array {
  const buffer = new Uint8Array(bytes.length + by + 9).fill(0x22)
  buffer.set(bytes, by)
  return buffer.subarray(by, by + bytes.length)
}

function agree(bytes: Uint8Array): void {
  const platform = platformParse(bytes)
  const scanned = scanObject(bytes, KEYS, { duplicates: 'last' })
  const isObject =
    platform !== 'invalid' &&
    typeof platform.value === 'object' &&
    platform.value !== null &&
    !Array.isArray(platform.value)
  expect(isScanFault(scanned)).toBe(!isObject)
  if (isScanFault(scanned) || platform === 'invalid') return
  for (const name of KEYS.names) {
    const span = scanned.values[name]
    const expected = Object.getOwnPropertyDescriptor(platform.value, name)?.value as unknown
    expect(span === undefined ? undefined : parseSpan(bytes, span)).toStrictEqual(expected)
  }
}

/** JSON text with wanted keys, duplicates, escaped spellings and odd white space. */
const jsonText = fc.letrec<{ value: string; object: string }>((tie) => {
  const space = fc.constantFrom('', '', ' ', '\n', '\t \r\n')
  const escapedKey = fc.constantFrom('model', 'stream', 'n').map(
    (name) =>
      `"${Array.from(name)
        .map((c) => `\\u00${c.charCodeAt(0).toString(16)}`)
        .join('')}"`,
  )
  const key = fc.oneof(
    fc.constantFrom('"model"', '"stream"', '"n"', '"messages"'),
    escapedKey,
    fc.string({ unit: 'binary' }).map((text) => JSON.stringify(text)),
  )
  const member = fc.tuple(space, key, space, space, tie('value')).map(([a, k, b, c, v]) => `${a}${k}${b}:${c}${v}`)
  return {
    value: fc.oneof(
      { maxDepth: 4 },
      fc.constantFrom('true', 'false', 'null', '0', '-1.5e+7', '""', '"\\u00e9\\\\"', '"\\ud83d"'),
      fc.string({ unit: 'binary', maxLength: 60 }).map((text) => JSON.stringify(text)),
      fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
      fc.tuple(fc.array(tie('value'), { maxLength: 4 }), space).map(([items, s]) => `[${s}${items.join(`${s},`)}${s}]`),
      tie('object'),
    ),
    object: fc
      .tuple(fc.array(member, { maxLength: 6 }), space)
      .map(([members, s]) => `${s}{${members.join(',')}${s}}${s}`),
  }
}).object

/** The few bytes that decide structure, so that broken text is nearly right. */
const structural = fc.constantFrom(
  ...encode('{}[]":,\\u/tfn0-1.eE \n\x00\x1f\x7f\x80\xc3\xa9'),
  0xc0,
  0xe2,
  0xed,
  0xf0,
  0xf4,
  0xff,
)

test('agrees with JSON.parse on valid objects, duplicates and escaped keys included', () => {
  fc.assert(
    fc.property(jsonText, fc.nat(7), (text, by) => agree(shifted(encode(text), by))),
    { numRuns: 500 },
  )
})

test('agrees with JSON.parse on texts with one byte changed, removed or added', () => {
  fc.assert(
    fc.property(
      jsonText,
      fc.nat(),
      structural,
      fc.constantFrom('replace', 'remove', 'insert'),
      (text, place, byte, how) => {
        const bytes = [...encode(text)]
        bytes.splice(place % bytes.length, how === 'insert' ? 0 : 1, ...(how === 'remove' ? [] : [byte]))
        agree(Uint8Array.from(bytes))
      },
    ),
    { numRuns: 1_000 },
  )
})

test('agrees with JSON.parse on arbitrary bytes', () => {
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 80 }),
    fc.array(structural, { maxLength: 24 }).map((list) => Uint8Array.from(list)),
  )
  fc.assert(fc.property(bytes, agree), { numRuns: 1_000 })
})

test('finds the end of long strings wherever their last bytes fall in a word', () => {
  const long = fc.tuple(
    fc.nat(40),
    fc.constantFrom('"', '\\', '\n', '\u0001', '\u00e9', '\u{1f600}', 'x'),
    fc.nat(40),
    fc.nat(7),
  )
  fc.assert(
    fc.property(long, ([before, odd, after, by]) => {
      const content = 'a'.repeat(before + 17) + odd + 'b'.repeat(after)
      agree(shifted(encode(`{"model":${JSON.stringify(content)},"n":1}`), by))
      agree(shifted(encode(`{"model":"${content}","n":1}`), by))
    }),
    { numRuns: 500 },
  )
})

test('a key that appears twice is refused in either spelling, and only a wanted one', () => {
  fc.assert(
    fc.property(
      fc.constantFrom('"model"', '"\\u006dodel"', '"mode\\u006C"'),
      fc.constantFrom('"model"', '"m\\u006fdel"'),
      (first, second) => {
        expect(scanObject(encode(`{${first}:"a","x":1,"x":2,${second}:"b"}`), KEYS)).toStrictEqual({
          fault: 'duplicate',
          key: 'model',
        })
        expect(isScanFault(scanObject(encode(`{${first}:"a","x":1,"x":2}`), KEYS))).toBe(false)
      },
    ),
  )
})

test('leaves its input as it was', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
      const copy = bytes.slice()
      scanObject(bytes, KEYS)
      expect(bytes).toStrictEqual(copy)
    }),
  )
})
