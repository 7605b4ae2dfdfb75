import { expect, test } from 'vitest'
import { codesFile } from './made-codes-dialog.tsx'

const NOON = new Date(2026, 2, 9, 12)

test('a file of codes has one per line and is named after them', () => {
  const file = codesFile('Spring sale', ['a', 'b'], NOON)
  expect(file).toEqual({ name: 'redemption-codes-Spring-sale-2026-03-09.txt', text: 'a\nb\n' })
})

test('no name can place a file elsewhere', () => {
  expect(codesFile('../../etc/passwd', [], NOON).name).toBe('redemption-codes-etc-passwd-2026-03-09.txt')
  expect(codesFile('…', [], NOON).name).toBe('redemption-codes-2026-03-09.txt')
})
