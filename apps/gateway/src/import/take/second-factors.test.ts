import { describe, expect, it } from 'vitest'
import { passkeysOf, totpSecrets } from './second-factors.ts'

describe('TOTP secrets of new-api', () => {
  it('count where the second step was confirmed and not removed', () => {
    const secret = 'JBSWY3DPEHPK3PXP'
    const secrets = totpSecrets([
      { user_id: 1, secret: 'jbswy3dpehpk3pxp', is_enabled: 1, deleted_at: null },
      { user_id: 2, secret, is_enabled: 0, deleted_at: null },
      { user_id: 3, secret, is_enabled: 1, deleted_at: '2026-11-24 15:14:04' },
      { user_id: null, secret, is_enabled: 1, deleted_at: null },
    ])
    expect([...secrets]).toEqual([[1, secret]])
  })
})

describe('passkeys of the family', () => {
  it('are raw bytes in the fork of Laisky, and base64 in new-api', () => {
    const [id, key] = [new Uint8Array([251, 255]), new Uint8Array([1, 2, 3])]
    const laisky = { user_id: 1, credential_name: 'phone', credential_id: id, public_key: key, sign_count: 7 }
    const newApi = { user_id: 2, credential_id: '+/8=', public_key: 'AQID', sign_count: 7 }
    const passkeys = passkeysOf([
      { ...laisky, transport: 'internal,hybrid' },
      { ...newApi, transports: '["internal", "hybrid", "<b>"]' },
    ])
    const same = { credentialId: '-_8', publicKey: 'AQID', signCount: 7, transports: 'internal,hybrid', createdTime: 0 }
    expect([passkeys.get(1), passkeys.get(2)]).toEqual([[{ name: 'phone', ...same }], [{ name: 'Passkey', ...same }]])
  })

  it('are left out when they are deleted, empty or wrong', () => {
    const row = { user_id: 1, credential_id: 'AQID', public_key: 'AQID', sign_count: 0, deleted_at: null }
    const passkeys = passkeysOf([
      { ...row, deleted_at: '2026-11-24 15:14:04' },
      { ...row, credential_id: '' },
      { ...row, user_id: 'root' },
      { ...row, sign_count: -1 },
      { ...row, public_key: new Uint8Array(5_000) },
    ])
    expect(passkeys.size).toBe(0)
  })
})
