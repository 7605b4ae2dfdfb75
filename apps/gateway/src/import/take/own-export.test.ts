import { describe, expect, test } from 'vitest'
import { typeHere } from './channel-types.ts'
import { recogniseFamily } from './family.ts'
import { takeChannel } from './take-channel.ts'
import { takeLog } from './take-log.ts'
import { takeSettings } from './take-settings.ts'
import { takeToken } from './take-token.ts'
import { takeUser } from './take-user.ts'

const TABLES = [
  { name: 'users', columns: ['id', 'username', 'password', 'role', 'status', 'quota', 'quota_exact', 'totp_secret'] },
  {
    name: 'tokens',
    columns: ['id', 'user_id', 'key', 'status', 'remain_quota', 'unlimited_quota', 'expired_time', 'groups'],
  },
  { name: 'channels', columns: ['id', 'type', 'key', 'status', 'models', 'model_configs', 'channel_info'] },
]

describe('an export from here', () => {
  test('is told from the programs of the family by its exact amounts', () => {
    expect(recogniseFamily(TABLES)).toMatchObject({ family: 'sluice' })
  })

  test('has channels of every type that there is, with their config as it stands', () => {
    expect([1, 14, 57, 59, 61].map((type) => typeHere('sluice', type))).toEqual([1, 14, 57, 59, 61])
    expect(typeHere('sluice', 9_999)).toBe('reported')
    const info = '{"is_multi_key":true,"multi_key_size":2,"multi_key_status_list":{"1":2}}'
    const row = { type: '59', key: 'one\ntwo', status: '1', config: '{"own_member":"kept"}', channel_info: info }
    expect(takeChannel('sluice', row)).toMatchObject({
      outcome: 'taken',
      adapted: [],
      row: { type: 59, key: 'one\ntwo', config: { own_member: 'kept' }, keyStatuses: new Map([[1, 2]]) },
    })
  })

  test('has settings under the names and with the values that they have here', () => {
    const rows = [
      { key: 'ChannelDisableThreshold', value: '7' },
      { key: 'SMTPServer', value: 'mail.example' },
      { key: 'SMTPPort', value: '465' },
    ]
    const { settings } = takeSettings('sluice', rows)
    expect(settings.map(({ key, value }) => [key, value])).toEqual(rows.map(({ key, value }) => [key, value]))
  })

  test('has the exact amount of a charge, which must be that of its whole points', () => {
    const row = { user_id: 1, created_at: 1, type: 2, quota: 3, quota_exact: '2.005' }
    expect(takeLog('sluice', row)).toMatchObject({ row: { amount: 2_005n } })
    expect(takeLog('sluice', { ...row, quota_exact: null })).toMatchObject({ row: { amount: 3_000n } })
    for (const wrong of ['3.001', '2', '1e0', 'x']) {
      expect(takeLog('sluice', { ...row, quota_exact: wrong })).toMatchObject({
        outcome: 'left_out',
        fault: { field: 'quota_exact' },
      })
    }
  })

  test('has all groups of a token, in their order', () => {
    const row = { user_id: 1, key: 'k'.repeat(48), status: 1, remain_quota: 0, unlimited_quota: 1, group: 'vip' }
    expect(takeToken({ ...row, groups: 'vip,default' })).toMatchObject({ row: { groups: ['vip', 'default'] } })
    expect(takeToken(row)).toMatchObject({ row: { groups: ['vip'] } })
    expect(takeToken({ ...row, groups: 'g'.repeat(33) })).toMatchObject({ fault: { field: 'groups' } })
  })

  test('has passwords as they are stored here, and the digest of an access token', () => {
    const hash = `argon2id$19456$2$1$${'s'.repeat(22)}$${'h'.repeat(43)}`
    const row = { username: 'ann', password: hash, status: 1, quota: 1, access_token_hash: 'ab'.repeat(32) }
    expect(takeUser(row)).toMatchObject({
      adapted: [],
      row: { passwordHash: hash, accessTokenHash: 'ab'.repeat(32) },
    })
  })
})
