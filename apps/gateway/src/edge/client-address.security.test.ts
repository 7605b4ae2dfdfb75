import { expect, test } from 'vitest'
import { rangeList } from './address-range.ts'
import { cameOverHttps, clientAddress } from './client-address.ts'

const nobody = rangeList([])
const proxies = rangeList(['10.0.0.0/8', 'fd00::/8', '192.0.2.7'])

test('without listed proxies the header is ignored', { tags: 'S28' }, () => {
  expect(clientAddress('203.0.113.9', '127.0.0.1', nobody)).toBe('203.0.113.9')
  expect(clientAddress('127.0.0.1', '8.8.8.8', nobody)).toBe('127.0.0.1')
})

test('a listed proxy is believed, but only for the part it vouches for', { tags: 'S28' }, () => {
  expect(clientAddress('10.0.0.1', '203.0.113.9', proxies)).toBe('203.0.113.9')
  expect(clientAddress('10.0.0.1', '127.0.0.1, 203.0.113.9, 10.2.3.4', proxies)).toBe('203.0.113.9')
  expect(clientAddress('192.0.2.7', ['198.51.100.1', '203.0.113.9'], proxies)).toBe('203.0.113.9')
})

test('a chain of nothing but proxies ends at its first one', () => {
  expect(clientAddress('10.0.0.1', '10.0.0.2, 10.0.0.3', proxies)).toBe('10.0.0.2')
})

test('garbage in the header stops the walk at the last hop that could be read', () => {
  expect(clientAddress('10.0.0.1', 'localhost', proxies)).toBe('10.0.0.1')
  expect(clientAddress('10.0.0.1', '203.0.113.9, evil, 10.0.0.4', proxies)).toBe('10.0.0.4')
  expect(clientAddress('10.0.0.1', '', proxies)).toBe('10.0.0.1')
})

test('mapped addresses, brackets and ports are read', () => {
  expect(clientAddress('::ffff:10.0.0.1', '203.0.113.9:4711', proxies)).toBe('203.0.113.9')
  expect(clientAddress('fd00::1', '[2001:db8::5]:443', proxies)).toBe('2001:db8::5')
  expect(clientAddress('::ffff:203.0.113.9', undefined, proxies)).toBe('203.0.113.9')
})

test('an endless header costs a bounded walk', { tags: 'S27' }, () => {
  const header = Array.from({ length: 100_000 }, () => '10.0.0.9').join(',')
  expect(clientAddress('10.0.0.1', header, proxies)).toBe('10.0.0.9')
})

test('https is believed from a listed proxy only', { tags: 'S28' }, () => {
  expect(cameOverHttps('10.0.0.1', 'https', proxies)).toBe(true)
  expect(cameOverHttps('10.0.0.1', 'https, http', proxies)).toBe(false)
  expect(cameOverHttps('10.0.0.1', undefined, proxies)).toBe(false)
  expect(cameOverHttps('203.0.113.9', 'https', proxies)).toBe(false)
})
