import { expect, test } from 'vitest'
import { shortened } from './digest.ts'

test('a text that is cut keeps its length, its beginning and what distinguishes it', () => {
  expect(shortened('short', 20)).toBe('short')
  const [one, other] = ['a', 'b'].map((end) => shortened(`${'x'.repeat(40)}${end}`, 20))
  expect(one).toMatch(/^x{9}_[a-z0-9]{10}$/)
  expect(one).not.toBe(other)
})

test('no half of a character is left at the cut', () => {
  const cut = shortened(`${'x'.repeat(8)}${'\u{1f600}'.repeat(20)}`, 20)
  expect([cut.isWellFormed(), cut.length]).toStrictEqual([true, 20])
})
