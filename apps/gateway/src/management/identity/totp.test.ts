import { randomBytes } from 'node:crypto'
import * as fc from 'fast-check'
import { TOTP, URI } from 'otpauth'
import { describe, expect, it } from 'vitest'
import { newRecoveryCodes, recoveryHash } from './second-factor.ts'
import { newTotpSecret, toBase32, totpAddress, totpStep } from './totp.ts'

const random = (size: number): Uint8Array => randomBytes(size)
const RFC_SECRET = toBase32(Buffer.from('12345678901234567890'))

describe('a TOTP code', () => {
  // RFC 6238 appendix B, SHA-1, the last six of its eight digits.
  it.each([
    [59, '287082'],
    [1_111_111_109, '081804'],
    [1_111_111_111, '050471'],
    [1_234_567_890, '005924'],
    [2_000_000_000, '279037'],
    [20_000_000_000, '353130'],
  ])('at second %i is %s', (second, code) => {
    expect(totpStep(RFC_SECRET, code, second * 1_000)).toBe(Math.floor(second / 30))
  })

  it('is what an authenticator app shows, at most one step early or late', () => {
    fc.assert(
      fc.property(fc.nat(4_000_000_000), fc.integer({ min: -3, max: 3 }), (second, steps) => {
        const secret = newTotpSecret(random)
        const now = (second + 3_600) * 1_000
        const code = new TOTP({ secret }).generate({ timestamp: now + steps * 30_000 })
        const expected = Math.abs(steps) <= 1 ? Math.floor(now / 30_000) + steps : undefined
        // Two in a million codes are equal by chance.
        fc.pre(expected !== undefined || totpStep(secret, code, now) === undefined)
        expect(totpStep(secret, code, now)).toBe(expected)
      }),
      { numRuns: 50 },
    )
  })

  it('is six digits and nothing else', () => {
    for (const code of ['', '28708', '2870822', ' 287082', '２８７０８２', '28708a']) {
      expect(totpStep(RFC_SECRET, code, 59_000)).toBeUndefined()
    }
  })

  it('comes with an address that apps can read, whatever the names', () => {
    for (const [username, issuer] of [
      ['ann', 'Sluice'],
      ['a:b&c=d', 'Ünïcode & Söhne: Ltd'],
    ] as const) {
      const secret = newTotpSecret(random)
      const read = URI.parse(totpAddress(secret, username, issuer))
      expect(read).toBeInstanceOf(TOTP)
      expect([read.secret.base32, read.label, read.issuer]).toEqual([secret, username.replaceAll(':', ' '), issuer])
    }
  })
})

describe('recovery codes', () => {
  it('are ten different ones of 80 bits, recognised however they are typed', () => {
    const codes = newRecoveryCodes(random)
    expect(new Set(codes).size).toBe(10)
    for (const code of codes) {
      expect(code).toMatch(/^([A-Z2-7]{4}-){3}[A-Z2-7]{4}$/)
      expect(recoveryHash(code.toLowerCase().replaceAll('-', ' '))).toBe(recoveryHash(code))
    }
  })
})
