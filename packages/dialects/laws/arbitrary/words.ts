import * as fc from 'fast-check'
import type { JsonObject } from '../../src/json-value.ts'

/** Text that breaks naive parsers: delimiters, quotes, line ends, characters of several bytes and code units. */
const TRAPS = [
  'data: [DONE]\n\n',
  '{"error":{"message":"no"}}',
  '"}],"usage":{}',
  'a\r\nb\rc\nd',
  '\\u0041 \\" \\',
  '\u2028\u2029',
  '\u{1f469}\u200d\u{1f680}\u4f60\u597d',
  '<b>&amp;</b>',
  'sluice.1.',
  ' ',
] as const

/** A piece of model output: never empty, sometimes blank. */
export const piece: fc.Arbitrary<string> = fc.oneof(
  { weight: 4, arbitrary: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 8 }) },
  { weight: 1, arbitrary: fc.constantFrom(...TRAPS) },
)

/** Text typed by people: begins and ends with a visible character. */
export const words: fc.Arbitrary<string> = fc
  .tuple(fc.nat(0xffff), fc.array(piece, { maxLength: 3 }), fc.nat(0xff))
  .map(([first, middle, last]) => `w${first.toString(36)} ${middle.join('')} ${last.toString(36)}w`)

/** Names that every dialect allows. */
export const toolName: fc.Arbitrary<string> = fc.constantFrom('get_weather', 'search', 'read-file', 'x')

/** Signatures and redacted texts; their beginning distinguishes them from pictures. */
export const sealed: fc.Arbitrary<string> = fc
  .base64String({ minLength: 4, maxLength: 24 })
  .map((text) => `SEAL${text}`)

/** Bytes of a file as base64, never empty. */
export const base64: fc.Arbitrary<string> = fc.uint8Array({ minLength: 3, maxLength: 12 }).map((bytes) => {
  return btoa(String.fromCharCode(...bytes))
})

/** Names without a special meaning in JavaScript; values that survive a round trip through text. */
const name = fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 5 }).map((text) => `k${text}`)
const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.oneof(fc.integer({ min: -1_000, max: 1_000 }), fc.boolean(), fc.constant(null), piece),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(name, tie('value'), { maxKeys: 3, noNullPrototype: true }),
  ),
}))
export const jsonObject: fc.Arbitrary<JsonObject> = fc.dictionary(name, value, { maxKeys: 3, noNullPrototype: true })

/** A JSON Schema of arguments or of an answer, closed as strict modes require. */
export const schema: fc.Arbitrary<JsonObject> = fc
  .tuple(fc.array(fc.constantFrom('city', 'unit', 'when'), { maxLength: 3 }), words)
  .map(([names, description]) => {
    const properties = Object.fromEntries(names.map((key) => [key, { type: 'string', description }]))
    return { type: 'object', properties, required: Object.keys(properties), additionalProperties: false }
  })
