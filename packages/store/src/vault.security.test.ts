import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type MasterKey, createVault, type Purpose } from './vault.ts'

const key = (fill: number): MasterKey => new Uint8Array(32).fill(fill)
const PURPOSES: readonly Purpose[] = ['channel_key', 'token_key', 'option', 'totp', 'email_code', 'own_key']
const purpose = fc.constantFrom(...PURPOSES)
const secret = 'sk-canary-0123456789'
const vault = createVault([key(1)])

describe('a vault', () => {
  test('opens what it sealed, whatever the text', () => {
    fc.assert(
      fc.property(purpose, fc.string({ unit: 'grapheme', maxLength: 200 }), (use, text) => {
        expect(vault.open(use, vault.seal(use, text))).toEqual({ ok: true, text })
      }),
    )
  })

  test('shows nothing of the secret and never seals the same text alike twice', () => {
    const sealed = vault.seal('channel_key', secret)
    expect(sealed).toMatch(/^v1\.[0-9a-f]{8}\.[\w-]+\.[\w-]+$/)
    expect(sealed).not.toContain(Buffer.from(secret).toString('base64url').slice(0, 8))
    expect(vault.seal('channel_key', secret)).not.toBe(sealed)
  })

  test('opens under the purpose it was sealed for and no other', { tags: 'S19' }, () => {
    for (const use of PURPOSES) {
      const sealed = vault.seal(use, secret)
      const opened = PURPOSES.map((other) => vault.open(other, sealed).ok)
      expect(opened).toEqual(PURPOSES.map((other) => other === use))
    }
  })

  test('recognises a text by digests that differ by purpose and master key', { tags: 'S19' }, () => {
    const digests = createVault([key(2), key(1)]).digests('gift_receiver', secret)
    expect(digests).toHaveLength(2)
    expect(digests[1]).toBe(vault.digests('gift_receiver', secret)[0])
    expect(new Set([...digests, ...vault.digests('email_code', secret)]).size).toBe(3)
    expect(digests.every((digest) => /^[0-9a-f]{64}$/.test(digest))).toBe(true)
  })

  test('refuses a text with any character changed', () => {
    const sealed = vault.seal('option', secret)
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.'
    fc.assert(
      fc.property(fc.nat(sealed.length - 1), fc.constantFrom(...alphabet.split('')), (at, character) => {
        fc.pre(sealed[at] !== character)
        expect(vault.open('option', sealed.slice(0, at) + character + sealed.slice(at + 1)).ok).toBe(false)
      }),
      { numRuns: 500 },
    )
  })

  test('returns a value, never throws, for anything that is not its own', () => {
    fc.assert(
      fc.property(
        purpose,
        fc.oneof(fc.string(), fc.stringMatching(/^v1\.[0-9a-f]{8}\.[\w-]{0,20}\.[\w-]{0,40}$/)),
        (use, text) => {
          expect(vault.open(use, text).ok).toBe(false)
        },
      ),
    )
  })

  test('says which of the three things is wrong, without the text', () => {
    const sealed = vault.seal('option', secret)
    expect(vault.open('option', secret)).toEqual({ ok: false, reason: 'malformed' })
    expect(createVault([key(2)]).open('option', sealed)).toEqual({ ok: false, reason: 'unknown_key' })
    expect(vault.open('token_key', sealed)).toEqual({ ok: false, reason: 'tampered' })
  })

  test('opens with a retired master key and seals with the new one', () => {
    const old = vault.seal('channel_key', secret)
    const rotated = createVault([key(2), key(1)])
    expect(rotated.open('channel_key', old)).toEqual({ ok: true, text: secret })
    const renewed = rotated.seal('channel_key', secret)
    expect(vault.open('channel_key', renewed)).toEqual({ ok: false, reason: 'unknown_key' })
    expect(createVault([key(2)]).open('channel_key', renewed)).toEqual({ ok: true, text: secret })
  })

  test('keeps opening what earlier versions sealed', () => {
    const sealed = 'v1.14c4a948.2c5C2H-6BkHragNa.FvAIsmiPyei_u-5dWHo-97ZZwxIb8KtnRAg-l-c2MwSsiRtH'
    expect(vault.open('channel_key', sealed)).toEqual({ ok: true, text: secret })
  })

  test('refuses a master key of the wrong length', () => {
    expect(() => createVault([new Uint8Array(16)])).toThrow('32 bytes')
  })
})
