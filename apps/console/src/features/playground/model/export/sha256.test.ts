import { createHash, randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { sha256 } from './sha256.ts'

const expected = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

describe('sha256', () => {
  it('matches the reference implementation at every length around a block', () => {
    for (let length = 0; length <= 200; length += 1) {
      const bytes = randomBytes(length)
      expect(sha256(bytes), `${length} bytes`).toBe(expected(bytes))
    }
  })

  it('reads its part of a larger buffer', () => {
    const bytes = randomBytes(5_000)
    expect(sha256(bytes.subarray(37, 4_321))).toBe(expected(bytes.subarray(37, 4_321)))
  })
})
