import { expect, test } from 'vitest'
import { isSameRelease } from './update-check.tsx'

test('a release matches the running version with or without a v', () => {
  expect(isSameRelease('v1.2.0', '1.2.0')).toBe(true)
  expect(isSameRelease('1.2.0 ', 'v1.2.0')).toBe(true)
  expect(isSameRelease('v1.3.0', '1.2.0')).toBe(false)
})
