import { expect, test } from 'vitest'
import { afterSequence } from './utf8.ts'

/** Bytes at the limits of what RFC 3629 allows at each position of a sequence. */
const SECOND = [0x00, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0, 0xff]
const LATER = [0x7f, 0x80, 0xbf, 0xc0]

/** Length of the first character, by the platform's decoder; undefined if invalid. */
function platformLength(bytes: Uint8Array): number | undefined {
  for (let length = 2; length <= 4; length++) {
    try {
      const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes.subarray(0, length))
      if (text !== '') return length
    } catch {
      continue
    }
  }
  return undefined
}

test('accepts the multi-byte sequences that the platform accepts, and no other', () => {
  for (let lead = 0x80; lead <= 0xff; lead++) {
    for (const second of SECOND) {
      for (const third of LATER) {
        for (const fourth of LATER) {
          const bytes = Uint8Array.of(lead, second, third, fourth)
          const expected = platformLength(bytes) ?? -1
          if (afterSequence(bytes, 0) !== expected)
            expect([...bytes, afterSequence(bytes, 0)]).toStrictEqual([...bytes, expected])
        }
      }
    }
  }
})

test('a sequence cut off by the end is not one', () => {
  expect(afterSequence(Uint8Array.of(0x41, 0xe4, 0xbd), 1)).toBe(~1)
})
