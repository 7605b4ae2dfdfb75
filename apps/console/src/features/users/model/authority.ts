import { ROLE } from '@sluice/contract/capability'

export type Bar = 'rank' | 'self'

/** Why the caller may not do something; an absent entry is allowed. */
export interface Authority {
  readonly edit: Bar | undefined
  readonly topUp: Bar | undefined
  readonly toggle: Bar | undefined
  readonly remove: Bar | undefined
  readonly role: Bar | undefined
}

interface Person {
  readonly id: number
  readonly role: number
}

/**
 * As in the gateway: root may change everyone, others only users of lower rank; no one may change their own role or status, or
 * delete themselves.
 */
export function authorityOver(caller: Person | undefined, user: Person): Authority {
  const isSelf = caller?.id === user.id
  const outranks = caller !== undefined && (caller.role >= ROLE.root || caller.role > user.role)
  const rank = outranks ? undefined : 'rank'
  const own = isSelf ? 'self' : rank
  return {
    edit: rank,
    topUp: rank,
    toggle: own,
    remove: own,
    // No one may assign a role as high as their own, and below an administrator there is only one role.
    role: isSelf ? 'self' : caller !== undefined && caller.role >= ROLE.root ? undefined : 'rank',
  }
}
