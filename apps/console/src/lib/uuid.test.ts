import { expect, test } from 'vitest'
import { randomUuid } from './uuid.ts'

test('a random UUID says its version and variant and takes every other bit from the source', () => {
  expect(randomUuid((bytes) => bytes.fill(0))).toBe('00000000-0000-4000-8000-000000000000')
  expect(randomUuid((bytes) => bytes.fill(255))).toBe('ffffffff-ffff-4fff-bfff-ffffffffffff')
  const made = Array.from({ length: 50 }, () => randomUuid((bytes) => crypto.getRandomValues(bytes)))
  expect(new Set(made).size).toBe(50)
})
