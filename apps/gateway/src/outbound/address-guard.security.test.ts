import { expect, test } from 'vitest'
import { createAddressGuard, AddressRefused } from './address-guard.ts'

const open = createAddressGuard('allow')
const strict = createAddressGuard('deny')

test.each([
  '169.254.169.254',
  '169.254.170.2',
  '100.100.100.200',
  '168.63.129.16',
  '192.0.0.192',
  '::ffff:169.254.169.254',
  '::ffff:a9fe:a9fe',
  '64:ff9b::169.254.169.254',
  '64:ff9b::a9fe:a9fe',
  '2002:a9fe:a9fe::1',
  '::169.254.169.254',
  'fd00:ec2::254',
  'fd00:ec2::23',
  'fd20:ce::254',
  'fd00:c1::a9fe:a9fe',
  'fd00:42::42',
  '::ffff:0:169.254.169.254',
  '64:ff9b:1::169.254.169.254',
  '64:ff9b:1:a9fe:a9:fe00::',
  '2001:0:4136:e378:8000:63bf:5601:5601',
  '2001:0:a9fe:a9fe::1',
  '2606:4700::5efe:169.254.169.254',
  'fe80::1',
  'fe80::1%eth0',
  '224.0.0.1',
  '255.255.255.255',
  'ff02::1',
])('%s is refused under every policy', { tags: 'S2' }, (address) => {
  expect(open.allows(address)).toBe(false)
  expect(strict.allows(address)).toBe(false)
})

test.each([
  '127.0.0.1',
  '127.8.8.8',
  '0.0.0.0',
  '10.1.2.3',
  '172.31.0.1',
  '192.168.1.1',
  '100.64.0.1',
  '198.18.0.1',
  '::1',
  '::',
  'fc00::1',
  'fd12:3456::1',
  '::ffff:127.0.0.1',
  '::ffff:10.0.0.1',
  '64:ff9b::10.0.0.1',
  '2002:0a00:0001::1',
  'fec0::1',
  '::ffff:0:10.0.0.1',
  '64:ff9b:1::10.0.0.1',
  '64:ff9b:1:a00::1',
  '2001:0:4136:e378:8000:63bf:f5ff:fffe',
  '2001:0:4136:e378:8000:63bf:3fff:fdd2',
  '2001:db8::1',
  '3fff::1',
  '100::1',
  '5f00::1',
  '4000::1',
  '192.0.2.1',
  '198.51.100.7',
  '203.0.113.9',
  '192.88.99.1',
])('%s is private: allowed by default, refused when private addresses are denied', { tags: 'S2' }, (address) => {
  expect(open.allows(address)).toBe(true)
  expect(strict.allows(address)).toBe(false)
})

test.each([
  '1.1.1.1',
  '172.32.0.1',
  '100.128.0.1',
  '192.0.1.1',
  '2606:4700::1111',
  '2001:4860:4860::8888',
  '2a00:1450:4001:806::200e',
  '64:ff9b::1.1.1.1',
  '2002:101:101::1',
  '::ffff:1.1.1.1',
])('%s is public and always allowed', (address) => {
  expect(strict.allows(address)).toBe(true)
})

test('what is not an address is refused', { tags: 'S4' }, () => {
  for (const text of ['', 'localhost', '0x7f000001', '2130706433', '127.1']) expect(open.allows(text)).toBe(false)
})

function answering(...addresses: readonly string[]) {
  const resolve = (_host: string, _options: object, callback: (error: null, found: object[]) => void) =>
    callback(
      null,
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    )
  return createAddressGuard('deny', resolve as never)
}

function ask(guard: ReturnType<typeof answering>, all: boolean): Promise<unknown> {
  return new Promise((resolve) => guard.lookup('x.example', { all }, (error, found) => resolve(error ?? found)))
}

test('a name is refused when any of its addresses is', { tags: 'S4' }, async () => {
  expect(await ask(answering('1.1.1.1', '127.0.0.1'), true)).toBeInstanceOf(AddressRefused)
  expect(await ask(answering('169.254.169.254'), false)).toBeInstanceOf(AddressRefused)
  expect(await ask(answering(), true)).toBeInstanceOf(AddressRefused)
})

test('the checked addresses themselves are passed on', { tags: 'S4' }, async () => {
  expect(await ask(answering('1.1.1.1', '2606:4700::1111'), true)).toEqual([
    { address: '1.1.1.1', family: 4 },
    { address: '2606:4700::1111', family: 6 },
  ])
  expect(await ask(answering('1.1.1.1'), false)).toBe('1.1.1.1')
})

test('the refusal names no address', { tags: 'S20' }, () => {
  expect(new AddressRefused().message).not.toMatch(/\d/)
})
