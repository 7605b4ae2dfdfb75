import { describe, expect, it } from 'vitest'
import { isSessionLoss } from './session-loss.ts'

const fine = { success: true, message: '' }
const refused = (message: string) => ({ success: false, message })

describe('session loss', { tags: 'A6.6' }, () => {
  it.each([
    ['an unauthorised status', '/api/token/', 401, fine, true],
    ['a forbidden status', '/api/channel/', 403, refused('x'), true],
    ['an invalid access token', '/api/token/', 200, refused('the access token is invalid'), true],
    ['a missing sign-in', '/api/token/', 200, refused('not logged in'), true],
    ['a missing permission', '/api/x', 200, refused('No permission to perform this operation, too low'), true],
    ['an ordinary refusal', '/api/token/', 200, refused('Token name is required'), false],
    ['a success that quotes the words', '/api/about', 200, { success: true, message: 'not logged in' }, false],
    ['the price list, which visitors may read', '/api/models/display', 401, refused('not logged in'), false],
  ] as const)('%s', (_, path, status, envelope, expected) => {
    expect(isSessionLoss(path, status, envelope)).toBe(expected)
  })
})
