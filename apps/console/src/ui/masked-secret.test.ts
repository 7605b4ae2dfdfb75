import { describe, expect, it } from 'vitest'
import { maskedKey } from '~/ui/masked-secret.tsx'

describe('masked key', () => {
  it.each([
    ['sk-abcdefghijklmnop', 'sk-a***mnop'],
    ['123456789', '1234***6789'],
    ['12345678', '***'],
    ['1', '***'],
    ['', '***'],
  ])('%j reads %j', { tags: 'A9.10' }, (key, shown) => {
    expect(maskedKey(key)).toBe(shown)
  })
})
