import { expect, it } from 'vitest'
import { passwordStrength } from './registration-form.ts'

it.each([
  ['', 'short'],
  ['Ab3$xyz', 'short'],
  ['password1', 'weak'],
  ['aaaaaaaaaaaaaaaa', 'weak'],
  ['1234567890123', 'weak'],
  ['alice-alice-alice', 'weak'],
  ['kitchen9', 'weak'],
  ['Kitchen-Table-9', 'strong'],
  ['garden7boat', 'fair'],
  ['correct horse battery staple', 'strong'],
  ['Xk9#mQ2$vL7!', 'strong'],
] as const)('%j is %s', (password, strength) => {
  expect(passwordStrength(password, ['alice'])).toBe(strength)
})

it('the user’s name in a password does not add to its strength', () => {
  expect(passwordStrength('margarete-92-x', [])).toBe('strong')
  expect(passwordStrength('margarete-92-x', ['Margarete'])).toBe('weak')
})
