import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseSubnet } from './subnet.ts'
import { keyHash, newTokenKey, shownKey } from './token-key.ts'

describe('parseSubnet', () => {
  it.each([
    [null, null],
    [' , ', null],
    ['10.0.0.1', '10.0.0.1'],
    ['10.0.0.0/8 ,2001:db8::/32,::1', '10.0.0.0/8,2001:db8::/32,::1'],
    ['0.0.0.0/0', '0.0.0.0/0'],
  ])('reads %j', (text, subnet) => {
    expect(parseSubnet(text)).toEqual({ subnet })
  })

  it.each([
    '10.0.0',
    '10.0.0.0/33',
    '10.0.0.0/',
    '10.0.0.0/-1',
    '10.0.0.0/08',
    '::1/129',
    'fe80::1%eth0',
    'example.org',
    '1.2.3.4/8/8',
  ])('refuses %j by name', (text) => {
    expect(parseSubnet(`10.1.1.1,${text}`)).toEqual({ problem: `"${text}" is neither an IP address nor a CIDR range` })
  })
})

describe('a token key', () => {
  it('has the family’s form whatever the random bytes are', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 64, maxLength: 64, max: 247 }), (pool) => {
        let at = 0
        const key = newTokenKey((size) => pool.subarray(at, (at += size)))
        expect(key).toMatch(/^[0-9A-Za-z]{16}[0-9A-Fa-f]{32}$/)
        expect(key).toHaveLength(48)
        expect(shownKey(key)).toBe(`sk-${key}`)
        expect(keyHash(key)).toMatch(/^[0-9a-f]{64}$/)
      }),
    )
  })

  it('discards bytes that would make some characters more likely', () => {
    const draws = [new Uint8Array(16).fill(1), new Uint8Array(16).fill(255), new Uint8Array(16).fill(0)]
    expect(newTokenKey(() => draws.shift() ?? new Uint8Array(16)).slice(0, 16)).toBe('0'.repeat(16))
  })
})
