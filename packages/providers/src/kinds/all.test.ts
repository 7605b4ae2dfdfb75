import { expect, test } from 'vitest'
import { KINDS, kindOf } from './all.ts'

test('every type code from 1 to 51 has one kind', () => {
  expect(KINDS.map(({ code }) => code).slice(0, 51)).toStrictEqual(Array.from({ length: 51 }, (_, i) => i + 1))
  expect(kindOf(25)?.name).toBe('Moonshot')
  expect(kindOf(0)).toBeUndefined()
  expect(kindOf(52)).toBeUndefined()
})

test('default base URLs are addresses, and absent exactly where one is required or follows from the region', () => {
  for (const { code, address } of KINDS) {
    const isRegional = code === 33 || code === 42
    expect(address.defaultBaseUrl === '').toBe(address.baseUrlRequired || isRegional)
    if (address.defaultBaseUrl !== '') expect(new URL(address.defaultBaseUrl).protocol).toMatch(/^https?:$/)
  }
  expect(KINDS.filter(({ address }) => address.baseUrlRequired).map(({ code }) => code)).toStrictEqual([3, 8, 43, 50])
})
