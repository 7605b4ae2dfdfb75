import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { escapedNameAt, keySet, looseKeySet, spellingOf } from './key-set.ts'

const SETS = [keySet('model', 'stream', 'task', 'max_tokens'), looseKeySet('generationConfig', 'model', 'tasks')]

const LONG_S = '\u017f'
const KELVIN = '\u212a'
const LETTERS = [...'model_tokens'.split(''), 'C', 'K', '\0', '"', '\\', '/', '\n', LONG_S, KELVIN, 'é', '😀']

/** Keys that are names, nearly names, or anything. */
const key = fc.oneof(
  fc.array(fc.constantFrom(...LETTERS), { maxLength: 12 }),
  fc
    .tuple(
      fc.constantFrom('model', 'MODEL', `${LONG_S}tream`, `tas${KELVIN}`, 'max_tokens', 'generation__Config'),
      fc.constantFrom('', '\0', '\0x', '_', 'x', '_'.repeat(70)),
    )
    .map(([name, more]) => Array.from(`${name}${more}`)),
)

/** The text of a key; any character may be written as an escape, in either case. */
const written = fc.tuple(key, fc.infiniteStream(fc.constantFrom('plain', 'small', 'large'))).map(([letters, ways]) =>
  letters
    .map((letter) => {
      const { value: way } = ways.next() as { value: string }
      const plain = JSON.stringify(letter).slice(1, -1)
      if (way === 'plain') return plain
      const units = letter.split('').map((unit) => unit.charCodeAt(0).toString(16).padStart(4, '0'))
      return units.map((hex) => `\\u${way === 'small' ? hex : hex.toUpperCase()}`).join('')
    })
    .join(''),
)

test('a key with escapes is the name that its text spells', { tags: 'S40' }, () => {
  fc.assert(
    fc.property(written, fc.constantFrom(...SETS), (text, keys) => {
      const bytes = new TextEncoder().encode(text)
      const found = escapedNameAt<string>(bytes, 0, bytes.length, keys)
      const expected = spellingOf<string>(JSON.parse(`"${text}"`) as string, keys)
      expect(found === 'long' ? expected : found).toStrictEqual(expected)
      if (bytes.length <= 60) expect(found).not.toBe('long')
    }),
    { numRuns: 2_000 },
  )
})
