import { expect, test } from 'vitest'
import { isAddressRange, rangeList } from './address-range.ts'

test.each(['10.0.0.1', '10.0.0.0/8', '0.0.0.0/0', '::1', 'fd00::/8', '::/128'])(
  '%s is an address or a range',
  (text) => {
    expect(isAddressRange(text)).toBe(true)
  },
)

test.each([
  '',
  'intranet',
  '10.0.0',
  '10.0.0.0/33',
  '10.0.0.0/08',
  '10.0.0.0/',
  '10.0.0.0/8/8',
  '::/129',
  'fe80::1%eth0',
  '010.0.0.1',
])('%j is neither', (text) => {
  expect(isAddressRange(text)).toBe(false)
})

test('a list holds its addresses and ranges in both families', () => {
  const list = rangeList(['10.0.0.0/8', '192.0.2.7', 'fd00::/8'])
  expect(list.check('10.9.9.9')).toBe(true)
  expect(list.check('192.0.2.7')).toBe(true)
  expect(list.check('192.0.2.8')).toBe(false)
  expect(list.check('fd12::1', 'ipv6')).toBe(true)
})

test('an entry that cannot be read matches nothing', () => {
  const list = rangeList(['intranet', '10.0.0.0/99', 'fe80::1%eth0'])
  expect(list.check('10.0.0.1')).toBe(false)
  expect(list.check('fe80::1', 'ipv6')).toBe(false)
})
