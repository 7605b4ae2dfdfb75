import { describe, expect, it } from 'vitest'
import { asksForTotp, codeProblem, hasWellKnownPassword, isWholeCode, targetAfterSignIn, typedCode } from './sign-in.ts'

const user = { id: 1, username: 'root', display_name: 'Root', role: 100, status: 1 }

describe('a reply that asks for the one-time code', { tags: 'A4.7' }, () => {
  it.each([
    ['the flag', { message: '', data: { totp_required: true } }, true],
    ['the flag as text', { message: '', data: { totp_required: 'true' } }, true],
    ['the flag as a number', { message: '', data: { totp_required: 1 } }, true],
    ['the bare message', { message: 'totp_required', data: undefined }, true],
    ['a message about the code', { message: 'Invalid TOTP code', data: null }, true],
    ['a lowered flag', { message: '', data: { totp_required: false } }, false],
    ['another text as flag', { message: '', data: { totp_required: 'yes' } }, false],
    ['a wrong password', { message: 'Username or password is wrong', data: null }, false],
  ])('%s', (_, refusal, expected) => {
    expect(asksForTotp(refusal)).toBe(expected)
  })
})

describe('typing a code', () => {
  it.each([
    ['123 456', false, '123456'],
    ['12-34', false, '1234'],
    ['1234567', false, '123456'],
    ['abc', false, ''],
    ['ABCD-EFGH-IJKL-MNOP', true, 'ABCD-EFGH-IJKL-MNOP'],
  ])('%j with a recovery code asked for %s is %j', (text, recovery, code) => {
    expect(typedCode(text, recovery)).toBe(code)
  })

  it.each([
    ['12345', false, false],
    ['123456', false, true],
    [' ', true, false],
    ['ABCD', true, true],
  ])('%j with a recovery code asked for %s can be sent: %s', { tags: 'A9.13' }, (code, recovery, whole) => {
    expect(isWholeCode(code, recovery)).toBe(whole)
  })
})

describe('a code that cannot be sent', () => {
  it.each([
    ['', false, 'totpRequired'],
    ['12345', false, 'totpLength'],
    ['', true, 'totpRequired'],
    [' ', true, 'totpRequired'],
    ['123456', false, undefined],
  ])('%j with a recovery code asked for %s: %s', { tags: 'A5.1' }, (code, recovery, problem) => {
    expect(codeProblem(code, recovery)).toBe(problem)
  })
})

describe('after sign-in', () => {
  it.each([
    [false, '/tokens?p=1', '/tokens?p=1'],
    [false, undefined, '/dashboard'],
    [false, '//evil.example', '/dashboard'],
    [false, '/\\evil.example', '/dashboard'],
    [true, '/tokens', '/users/edit'],
  ])(
    'with a password to change %s and redirect_to %s it goes to %s',
    { tags: ['A2.24', 'A2.25'] },
    (mustChange, redirectTo, target) => {
      expect(targetAfterSignIn(mustChange, redirectTo)).toBe(target)
    },
  )

  it(
    'recognises the well-known default password by what was typed and by what the server says',
    { tags: 'A2.25' },
    () => {
      expect(hasWellKnownPassword(user, { username: 'root', password: '123456' })).toBe(true)
      expect(hasWellKnownPassword(user, { username: 'root', password: 'better' })).toBe(false)
      expect(hasWellKnownPassword(user, { username: 'alice', password: '123456' })).toBe(false)
      expect(hasWellKnownPassword({ ...user, password_change_required: true }, { username: 'x', password: 'y' })).toBe(
        true,
      )
    },
  )
})
