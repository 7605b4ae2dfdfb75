import { ROLE } from '@sluice/contract/capability'

export type RoleName = 'user' | 'admin' | 'root'

/** Name of a role: 1 user, 10 administrator, 100 super administrator. A number in between counts as the role below it. */
export function roleName(role: number): RoleName {
  return role >= ROLE.root ? 'root' : role >= ROLE.admin ? 'admin' : 'user'
}
