import { describe, expect, it } from 'vitest'
import { authorityOver } from './authority.ts'

const root = { id: 1, role: 100 }
const admin = { id: 2, role: 10 }
const peer = { id: 3, role: 10 }
const user = { id: 4, role: 1 }

const nothingBarred = { edit: undefined, topUp: undefined, toggle: undefined, remove: undefined, role: undefined }

describe('what a caller may do to a user', () => {
  it('is everything for root, except to its own role and status', () => {
    for (const other of [admin, user, { id: 9, role: 100 }]) expect(authorityOver(root, other)).toEqual(nothingBarred)
    expect(authorityOver(root, root)).toEqual({ ...nothingBarred, toggle: 'self', remove: 'self', role: 'self' })
  })

  it('is everything except the role for an administrator, for users of lower rank', () => {
    expect(authorityOver(admin, user)).toEqual({ ...nothingBarred, role: 'rank' })
  })

  it('is nothing for users with the same or a higher role', () => {
    const allBarred = { edit: 'rank', topUp: 'rank', toggle: 'rank', remove: 'rank', role: 'rank' }
    expect(authorityOver(admin, peer)).toEqual(allBarred)
    expect(authorityOver(admin, root)).toEqual(allBarred)
    expect(authorityOver(undefined, user)).toEqual(allBarred)
    expect(authorityOver(admin, admin)).toEqual({ ...allBarred, toggle: 'self', remove: 'self', role: 'self' })
  })
})
