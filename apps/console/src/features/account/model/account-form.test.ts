import { selfUpdate } from '@sluice/contract/user'
import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { en } from '../texts/en.ts'
import { accountBody, accountFormSchema } from './account-form.ts'

const schema = accountFormSchema(en)
const form = { username: 'root', display_name: 'Root', email: '', password: '' }

describe('own account', () => {
  it.each([
    ['username', '', 'Username is required'],
    ['username', 'ab', 'Username must be at least 3 characters'],
    ['email', 'nobody', 'Valid email is required'],
    ['password', 'short', 'Password must be at least 8 characters'],
    ['password', '密'.repeat(25), 'Password is limited to 72 bytes'],
  ])('refuses the %s %j', (field, value, message) => {
    const { issues } = v.safeParse(schema, { ...form, [field]: value })
    expect(issues?.[0]?.message).toBe(message)
    expect(issues?.map((issue) => v.getDotPath(issue))[0]).toBe(field)
  })

  it('keeps the password when none is entered', () => {
    const body = accountBody(v.parse(schema, form))
    expect(body).not.toHaveProperty('password')
    expect(v.is(selfUpdate, body)).toBe(true)
  })

  it('sends a new password', () => {
    const body = accountBody(v.parse(schema, { ...form, password: 'correct horse' }))
    expect(body).toHaveProperty('password', 'correct horse')
    expect(v.is(selfUpdate, body)).toBe(true)
  })
})
