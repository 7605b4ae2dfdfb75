import { describe, expect, it } from 'vitest'
import { en } from '../texts/token-texts.ts'
import { expiryOf, statusAfterEdit, tokenStatus } from './token-status.ts'

const now = 1_760_000_000

describe('token status', () => {
  it.each([
    [1, 'Enabled'],
    [2, 'Disabled'],
    [3, 'Expired'],
    [4, 'Exhausted'],
    [0, 'Unknown'],
    [5, 'Unknown'],
    [-1, 'Unknown'],
  ])('%d reads %s', { tags: ['A4.1', 'A4.2'] }, (status, badge) => {
    expect(en.status[tokenStatus(status).name]).toBe(badge)
  })
})

describe('status of an edited token', { tags: 'A4.4' }, () => {
  const token = { status: 1, unlimited_quota: false, remain_quota: 0, expired_time: now - 1 }

  it.each([
    ['an exhausted token that is now unlimited is enabled', { status: 4, unlimited_quota: true }, 1],
    ['an exhausted token with quota is enabled', { status: 4, remain_quota: 1 }, 1],
    ['an exhausted token without quota stays', { status: 4, remain_quota: 0 }, 4],
    ['an expired token that never expires is enabled', { status: 3, expired_time: -1 }, 1],
    ['an expired token with a later expiry is enabled', { status: 3, expired_time: now + 1 }, 1],
    ['an expired token that expires now stays', { status: 3, expired_time: now }, 3],
    ['an expired token stays whatever its quota', { status: 3, unlimited_quota: true }, 3],
    ['a disabled token stays', { status: 2, unlimited_quota: true, expired_time: -1 }, 2],
    ['an enabled token stays', { status: 1 }, 1],
    ['an unknown status stays', { status: 9, unlimited_quota: true }, 9],
  ])('%s', (_, change, expected) => {
    expect(statusAfterEdit({ ...token, ...change }, now)).toBe(expected)
  })
})

describe('expiry in the list', { tags: ['A3.11', 'A9.8'] }, () => {
  it.each([
    [-1, undefined],
    [0, undefined],
    [now, now],
  ])('%d', (expiredTime, expected) => {
    expect(expiryOf(expiredTime)).toBe(expected)
  })
})
