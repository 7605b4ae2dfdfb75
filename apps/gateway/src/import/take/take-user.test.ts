import { createHash } from 'node:crypto'
import type { ForeignRow } from '@sluice/store/foreign/foreign-database'
import { ROLE } from '@sluice/store/statuses'
import { describe, expect, it } from 'vitest'
import { type SourceUser, markOfUser, takeUser } from './take-user.ts'

/** One API's hash of `alice-Fixture-1`. */
const BCRYPT = '$2a$10$pc1gunc2fNC9AAbRJ4MOMudkJjIbgh3Ifz2VAB4hf.aET7.hk9t.q'
const alice: ForeignRow = {
  id: 2,
  username: 'alice',
  password: BCRYPT,
  display_name: 'Alice',
  role: 1,
  status: 1,
  email: 'alice@river.example',
  github_id: '',
  wechat_id: 'wx-1',
  access_token: '0123456789abcdef0123456789abcdef',
  quota: 500,
  used_quota: 20,
  request_count: 3,
  group: 'vip',
  aff_code: 'Ab12',
  inviter_id: 1,
}

function taken(change: ForeignRow): SourceUser {
  const result = takeUser({ ...alice, ...change })
  if (result.outcome !== 'taken') throw new Error(JSON.stringify(result))
  return result.row
}
const fault = (change: ForeignRow) => {
  const result = takeUser({ ...alice, ...change })
  return result.outcome === 'left_out' ? `${result.fault.field} ${result.fault.problem}` : result.outcome
}
const adapted = (change: ForeignRow) => {
  const result = takeUser({ ...alice, ...change })
  return result.outcome === 'taken' ? result.adapted.map(({ field, problem }) => `${field} ${problem}`) : result.outcome
}

describe('a user of the family', () => {
  it('arrives with the password hash, the digest of the access token, and the balance', () => {
    expect(taken({})).toEqual({
      username: 'alice',
      passwordHash: BCRYPT,
      displayName: 'Alice',
      role: ROLE.user,
      isEnabled: true,
      email: 'alice@river.example',
      group: 'vip',
      affCode: 'Ab12',
      inviter: 1,
      accessTokenHash: createHash('sha256').update('0123456789abcdef0123456789abcdef').digest('hex'),
      totpSecret: '',
      createdTime: 0,
      quota: 500,
      usedQuota: 20,
      requests: 3,
      identities: { wechat_id: 'wx-1' },
    })
  })

  it('is skipped when deleted, in either way of deleting', () => {
    expect(takeUser({ ...alice, status: 3 }).outcome).toBe('skipped')
    expect(takeUser({ ...alice, deleted_at: '2026-11-24 15:14:04.83048013+00:00' }).outcome).toBe('skipped')
  })

  it('has the rewards for invitations in the balance, and a debt stays one', () => {
    expect(taken({ aff_quota: 40 }).quota).toBe(540)
    expect(taken({ quota: -39 }).quota).toBe(-39)
  })

  it('has the rights of the highest role that it reaches', () => {
    expect([0, 1, 9, 10, 50, 100].map((role) => taken({ role }).role)).toEqual([1, 1, 1, 10, 10, 100])
  })

  it('of a sign-in provider has no password, and any other hash has to be replaced by a new password', () => {
    expect(taken({ password: '' }).passwordHash).toBe('')
    const hashes = ['$2a$31$' + 'a'.repeat(53), '$1$md5$abc', 'plain', '$2a$10$short']
    expect(hashes.map((password) => taken({ password }).passwordHash)).toEqual(['', '', '', ''])
    expect(adapted({ password: '$2a$31$' + 'a'.repeat(53) })).toEqual([
      'password is not a bcrypt hash with a cost from 4 to 14: the user has to set a new password',
    ])
    for (const demand of ['9999999$2$1', '19456$99$1', '19456$0$1', '19456$2$9']) {
      const hash = `argon2id$${demand}$${'A'.repeat(22)}$${'A'.repeat(43)}`
      expect(adapted({ password: hash })).toEqual([
        'password is an argon2id hash that requires more than 64 MiB, 8 passes or 4 lanes, or is damaged: the user has to set a new password',
      ])
      expect(taken({ password: hash }).passwordHash).toBe('')
    }
    const own = `argon2id$19456$2$1$${'A'.repeat(22)}$${'A'.repeat(43)}`
    expect(taken({ password: own }).passwordHash).toBe(own)
    for (const version of ['a', 'b', 'y']) {
      expect(taken({ password: BCRYPT.replace('$2a', `$2${version}`) }).passwordHash).toContain(`$2${version}`)
    }
  })

  it('keeps the user where an e-mail address is none', () => {
    expect(taken({ email: 'nobody' }).email).toBe('')
    expect(adapted({ email: 'nobody' })).toEqual(['email is not an address of at most 50 characters: left empty'])
  })

  it('has a TOTP secret in base32, in any case and with padding', () => {
    expect(taken({ totp_secret: 'jbswy3dpehpk3pxp====' }).totpSecret).toBe('JBSWY3DPEHPK3PXP')
    expect(fault({ totp_secret: 'not base 32' })).toBe('totp_secret is not a base32 secret')
  })

  it('has a time of creation in seconds or milliseconds', () => {
    expect(taken({ created_at: 1_763_640_000_123 }).createdTime).toBe(1_763_640_000)
  })

  it.each<[string, ForeignRow, string]>([
    ['no name', { username: null }, 'username is NULL'],
    ['an empty name', { username: '   ' }, 'username is empty'],
    ['a name of a megabyte', { username: 'x'.repeat(1_048_576) }, 'username is longer than 100 characters'],
    ['a name with a control character', { username: 'a\nb' }, 'username contains a control character'],
    ['the name of a deleted user', { username: 'deleted_12' }, 'username is a name reserved for deleted users'],
    ['no password column', { password: null }, 'password is NULL'],
    ['an unknown status', { status: 7 }, 'status is not between 0 and 3'],
    [
      'a group with a comma',
      { group: 'a,b' },
      'group is not a group name of at most 32 characters without commas and control characters',
    ],
    [
      'a group with a line feed',
      { group: 'a\nb' },
      'group is not a group name of at most 32 characters without commas and control characters',
    ],
    ['no balance', { quota: null }, 'quota is NULL'],
    ['a balance in words', { quota: 'many' }, 'quota is not a whole number'],
    ['more than a ledger holds', { quota: 2e15 }, 'quota is not between -1000000000000000 and 1000000000000000'],
    ['a negative reward', { aff_quota: -1 }, 'aff_quota is not between 0 and 1000000000000000'],
    ['a deletion in year 0', { deleted_at: '0000-00-00 00:00:00' }, 'deleted_at is not a date'],
  ])('with %s is left out with the field and the rule', (_, change, problem) => {
    expect(fault(change)).toBe(problem)
  })

  it('is recognised by the invitation code, or by the name without one', () => {
    expect(markOfUser(taken({ username: 'renamed' }))).toBe('code Ab12')
    expect(markOfUser(taken({ aff_code: '' }))).toBe('name alice')
  })
})
