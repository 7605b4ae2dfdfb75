import { expect, test } from 'vitest'
import { generatedPassword } from './password-field.tsx'

test('a generated password has 16 characters that are safe in addresses and chats', () => {
  expect(generatedPassword((bytes) => bytes.fill(0))).toBe('AAAAAAAAAAAAAAAA')
  expect(generatedPassword((bytes) => bytes.fill(255))).toBe('________________')
  expect(generatedPassword((bytes) => bytes.fill(0xfb))).toMatch(/^[\w-]{16}$/)
})
