import * as v from 'valibot'
import { expect, test } from 'vitest'
import { en } from '../texts/user-texts.ts'
import { type NewUser, newUserSchema } from './add-user-dialog.tsx'

const check = (change: Partial<NewUser>) => {
  const result = v.safeParse(newUserSchema(en), { username: 'x', password: '123456', display_name: '', ...change })
  return result.success ? result.output : result.issues.map((issue) => issue.message)
}

test('one character is enough for a username, six for a password', { tags: ['B5.4', 'B9.7'] }, () => {
  expect(check({ username: ' ' })).toEqual(['Username is required'])
  expect(check({ password: '12345' })).toEqual(['Password must be at least 6 characters'])
  expect(check({ password: 'ä'.repeat(40) })).toEqual(['Password is limited to 72 bytes'])
  expect(check({})).toMatchObject({ username: 'x', password: '123456' })
})

test('a missing display name is the username, cut to the maximum length', { tags: 'B5.4' }, () => {
  expect(check({ username: ' ann ' })).toMatchObject({ username: 'ann', display_name: 'ann' })
  expect(check({ username: 'ann', display_name: ' Ann ' })).toMatchObject({ display_name: 'Ann' })
  expect(check({ username: 'x'.repeat(30) })).toMatchObject({ display_name: 'x'.repeat(20) })
})
