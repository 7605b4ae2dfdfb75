import { describe, expect, it } from 'vitest'
import { can, ROLE } from './capability.ts'

describe('roles are numbers: 1 user, 10 administrator, 100 super admin', { tags: 'A6.1' }, () => {
  it.each([
    [undefined, false, false, false],
    [0, false, false, false],
    [ROLE.user, true, false, false],
    [9, true, false, false],
    [ROLE.admin, true, true, false],
    [11, true, true, false],
    [ROLE.root, true, true, true],
  ])('%s', (role, own, manages, sets) => {
    expect(can(role, 'tokens.own')).toBe(own)
    expect(can(role, 'channels.manage')).toBe(manages)
    expect(can(role, 'settings.manage')).toBe(sets)
  })
})
