import { ROLE } from '@sluice/contract/capability'
import type { Refusal } from '@sluice/contract/errors'
import { USER_STATUS } from '@sluice/contract/user'
import type { UserPatch } from '@sluice/store/queries/accounts/users'
import type { Caller } from '../sessions/caller.ts'

/** The role below which a caller may change users, for the changing statement; undefined for root, who may change anyone. */
export function rankBound(caller: Caller): number | undefined {
  return caller.role >= ROLE.root ? undefined : caller.role
}

export function outranks(caller: Caller, role: number): boolean {
  return caller.role >= ROLE.root || caller.role > role
}

/** The answer to a change to a user with the same or a higher role. Not a 403: that would sign the console out. */
export const RANK_REFUSAL: Refusal = {
  code: 'refused',
  params: { reason: 'You cannot change a user of the same or a higher role.' },
}

/** The reason why a caller may not make this change at all; undefined when rank alone decides. */
export function changeProblem(caller: Caller, id: number, patch: UserPatch): Refusal | undefined {
  if (patch.role !== undefined && !outranks(caller, patch.role)) {
    return { code: 'refused', params: { reason: 'You cannot assign a role as high as your own.' }, field: 'role' }
  }
  const changesSelf =
    (patch.role ?? caller.role) !== caller.role || (patch.status ?? USER_STATUS.enabled) !== USER_STATUS.enabled
  if (id === caller.id && changesSelf) {
    return { code: 'refused', params: { reason: 'You cannot change your own role and status.' } }
  }
  return undefined
}
