import { expect, test } from 'vitest'
import { isDatabaseTrouble } from './database-trouble.ts'
import { SqliteError } from './sqlite/host.ts'

const coded = (code: string) => Object.assign(new Error('what it said'), { code })

test.each([
  new SqliteError('database or disk is full', 13),
  new SqliteError('disk I/O error', 778),
  new SqliteError('the database took longer than 15000 ms'),
  coded('53100'),
  coded('57P01'),
  coded('25006'),
  coded('40P01'),
  coded('ECONNREFUSED'),
  new Error('timeout exceeded when trying to connect'),
])('%s passes by itself', (error) => {
  expect(isDatabaseTrouble(error)).toBe(true)
})

test.each([
  new SqliteError('no such table: x', 1),
  coded('23505'),
  coded('42703'),
  coded('25001'),
  new TypeError('x'),
  'text',
  undefined,
])('%s is a bug', (error) => {
  expect(isDatabaseTrouble(error)).toBe(false)
})
