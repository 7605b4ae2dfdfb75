import { ROLE } from '@sluice/contract/capability'

/** Why a caller cannot do something to a user: the user ranks as high as the caller, or is the caller. */
export type Bar = 'rank' | 'self'

/** What the caller may not do; an absent entry is allowed. */
export interface Authority {
  readonly edit: Bar | undefined
  readonly topUp: Bar | undefined
  readonly toggle: Bar | undefined
  readonly remove: Bar | undefined
  /** Changing the user's role. */
  readonly role: Bar | undefined
}

interface Person {
  readonly id: number
  readonly role: number
}

/**
 * What a caller may do to a user, as the gateway decides it: root may change everyone, others only users of lower rank; no one may
 * change their own role or status, or delete themselves.
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
