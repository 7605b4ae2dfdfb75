import { selfUpdate } from '@sluice/contract/user'
import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { en } from '../texts/account-texts.ts'
import { accountBody, accountFormSchema } from './account-form.ts'

const unverified = { stored: 'root@example.org', verified: false }
const verified = { stored: 'root@example.org', verified: true }
const schema = accountFormSchema(en, unverified, 'root')
const form = { username: 'root', display_name: 'Root', email: '', verification_code: '', password: '' }

describe('own account', () => {
  it.each([
    ['username', '', 'Username is required'],
    ['username', 'ab', 'Username must be at least 3 characters'],
    ['email', 'nobody', 'Valid email is required'],
    ['email', `${'x'.repeat(50)}@example.org`, 'Email is limited to 50 characters'],
    ['password', 'short', 'Password must be at least 8 characters'],
    ['password', '密'.repeat(25), 'Password is limited to 72 bytes'],
  ])('refuses the %s %j', { tags: 'B5.21' }, (field, value, message) => {
    const { issues } = v.safeParse(schema, { ...form, [field]: value })
    expect(issues?.[0]?.message).toBe(message)
    expect(issues?.map((issue) => v.getDotPath(issue))[0]).toBe(field)
  })

  it('accepts a short name that an administrator set', () => {
    const given = v.parse(accountFormSchema(en, unverified, 'ab'), { ...form, username: 'ab' })
    expect(v.is(selfUpdate, accountBody(given, unverified))).toBe(true)
  })

  it('keeps the password when none is entered', { tags: ['B3.9', 'B5.21', 'B7.26'] }, () => {
    const body = accountBody(v.parse(schema, form), unverified)
    expect(body).toEqual({ username: 'root', display_name: 'Root', email: '' })
    expect(v.is(selfUpdate, body)).toBe(true)
  })

  it('sends a new password', { tags: 'B7.26' }, () => {
    const body = accountBody(v.parse(schema, { ...form, password: 'correct horse' }), unverified)
    expect(body).toHaveProperty('password', 'correct horse')
    expect(v.is(selfUpdate, body)).toBe(true)
  })

  it('requires a code for a new address where addresses are verified', () => {
    const strict = accountFormSchema(en, verified, 'root')
    const email = 'new@example.org'
    const { issues } = v.safeParse(strict, { ...form, email })
    expect(issues?.map((issue) => [v.getDotPath(issue), issue.message])).toEqual([
      ['verification_code', 'Verification code is required'],
    ])
    const body = accountBody(v.parse(strict, { ...form, email, verification_code: ' ABC234 ' }), verified)
    expect(body).toMatchObject({ email, verification_code: 'ABC234' })
    expect(v.is(selfUpdate, body)).toBe(true)
  })

  it.each(['', 'root@example.org'])('needs no code for the address %j', (email) => {
    const values = v.parse(accountFormSchema(en, verified, 'root'), { ...form, email })
    expect(accountBody(values, verified)).not.toHaveProperty('verification_code')
  })
})
