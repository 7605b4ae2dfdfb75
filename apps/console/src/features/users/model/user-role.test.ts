import { expect, test } from 'vitest'
import { roleName } from './user-role.ts'

test(
  'a role of 10 or more is an administrator, of 100 a super administrator, anything less a user',
  { tags: 'B6.1' },
  () => {
    expect([0, 1, 9, 10, 11, 99, 100, 101].map(roleName)).toEqual([
      'user',
      'user',
      'user',
      'admin',
      'admin',
      'admin',
      'root',
      'root',
    ])
  },
)
