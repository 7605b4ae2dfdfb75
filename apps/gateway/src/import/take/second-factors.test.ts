import { describe, expect, it } from 'vitest'
import { passkeysOf, totpSecrets } from './second-factors.ts'

describe('TOTP secrets of new-api', () => {
  it('count where the second step was confirmed and not removed', () => {
    const secret = 'JBSWY3DPEHPK3PXP'
    const { secrets, faults, ofNobody } = totpSecrets([
      { user_id: 1, secret: 'jbswy3dpehpk3pxp', is_enabled: 1, deleted_at: null },
      { user_id: 2, secret, is_enabled: 0, deleted_at: null },
      { user_id: 3, secret, is_enabled: 1, deleted_at: '2026-11-24 15:14:04' },
      { user_id: null, secret, is_enabled: 1, deleted_at: null },
    ])
    expect([...secrets]).toEqual([[1, secret]])
    expect([[...faults], ofNobody]).toEqual([[], [{ field: 'user_id', problem: 'is NULL' }]])
  })

  it.each([
    ['padding alone', { secret: '====' }, 'two_fas.secret is not a base32 secret'],
    ['another alphabet', { secret: '0189' }, 'two_fas.secret is not a base32 secret'],
    ['too few characters', { secret: 'JBSWY3DP' }, 'two_fas.secret is not a base32 secret'],
    ['nothing', { secret: null }, 'two_fas.secret is empty'],
    ['a switch that is neither on nor off', { is_enabled: 'perhaps' }, 'two_fas.is_enabled is not true or false'],
    ['a date of year 0', { deleted_at: '0000-00-00' }, 'two_fas.deleted_at is not a date'],
  ])('that are %s are a fault of their user, and not a second step that is off', (_, row, problem) => {
    const sound = { user_id: 4, secret: 'JBSWY3DPEHPK3PXP', is_enabled: 1, deleted_at: null }
    const { secrets, faults } = totpSecrets([{ ...sound, ...row }])
    expect([...secrets]).toEqual([])
    const fault = faults.get(4)
    expect(`${fault?.field} ${fault?.problem}`).toBe(problem)
  })
})

describe('passkeys of the family', () => {
  it('are raw bytes in the fork of Laisky, and base64 in new-api', () => {
    const [id, key] = [new Uint8Array([251, 255]), new Uint8Array([1, 2, 3])]
    const laisky = { user_id: 1, credential_name: 'phone', credential_id: id, public_key: key, sign_count: 7 }
    const newApi = { user_id: 2, credential_id: '+/8=', public_key: 'AQID', sign_count: 7 }
    const { passkeys } = passkeysOf([
      { ...laisky, transport: 'internal,hybrid' },
      { ...newApi, transports: '["internal", "hybrid", "<b>"]' },
    ])
    const same = { credentialId: '-_8', publicKey: 'AQID', signCount: 7, transports: 'internal,hybrid', createdTime: 0 }
    expect([passkeys.get(1), passkeys.get(2)]).toEqual([[{ name: 'phone', ...same }], [{ name: 'Passkey', ...same }]])
  })

  it('are left out when they are deleted, empty or wrong', () => {
    const row = { user_id: 1, credential_id: 'AQID', public_key: 'AQID', sign_count: 0, deleted_at: null }
    const { passkeys, faults } = passkeysOf([
      { ...row, deleted_at: '2026-11-24 15:14:04' },
      { ...row, credential_id: '' },
      { ...row, user_id: 'root' },
      { ...row, sign_count: -1 },
      { ...row, public_key: new Uint8Array(5_000) },
    ])
    expect(passkeys.size).toBe(0)
    expect(faults.map(({ user, field, problem }) => `${user} ${field} ${problem}`)).toEqual([
      '1 credential_id is empty',
      '? user_id is not a whole number',
      '1 sign_count is not between 0 and 4294967295',
      '1 public_key is longer than 4096 bytes',
    ])
  })
})
