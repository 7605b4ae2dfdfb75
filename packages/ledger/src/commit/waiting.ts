import type { Operation, Outcome } from '../operation.ts'

/**
 * `unavailable`: not committed in time. `withdrawn`: taken back before any commit was tried. `in_doubt`: taken back after a commit
 * that failed but may still have taken effect.
 */
export type Answer = Outcome | { readonly outcome: 'unavailable' | 'withdrawn' | 'in_doubt' }

export interface Waiting {
  readonly operation: Operation
  /** Steady milliseconds. */
  readonly since: number
  readonly resolve: (answer: Answer) => void
  readonly reject: (error: Error) => void
  answered: boolean
  /** Part of a commit whose outcome is unknown. */
  tried: boolean
  /** Failed when it was tried alone. */
  suspect: boolean
  /** Taken back by its caller: it is not retried. */
  withdrawn: boolean
  /** It must be committed, however long that takes. */
  readonly isPatient: boolean
}

const WITHDRAWN: Answer = { outcome: 'withdrawn' }
const IN_DOUBT: Answer = { outcome: 'in_doubt' }

export function waitsForEver({ op }: Operation): boolean {
  return op === 'settle' || op === 'renew' || op === 'void'
}

export function takenBack({ tried }: Waiting): Answer {
  return tried ? IN_DOUBT : WITHDRAWN
}

export function isOpen({ answered, tried, operation }: Waiting): boolean {
  return !answered || (tried && operation.op === 'hold')
}

/**
 * Which operations may overtake these suspects. Operations of the same request wait: a void that overtook its hold would leave the
 * hold open forever, and a correction that overtook its charge would be undone by the charge. Decisions also wait if a suspect is a
 * hold on their account that this process has already promised.
 */
export function independenceOf(suspects: readonly Waiting[]): {
  readonly isIndependent: (operation: Operation) => boolean
  /** Adds an operation that waits, so that it is not overtaken either. */
  readonly add: (waiting: Waiting) => void
} {
  const held = new Set<string>()
  const settled = new Set<string>()
  const promised = new Set<number>()
  const add = ({ operation, isPatient }: Waiting): void => {
    if (operation.op === 'hold') {
      held.add(operation.requestId)
      if (isPatient) promised.add(operation.account).add(operation.limitAccount)
    } else if (operation.op === 'settle') {
      settled.add(operation.settlement.requestId)
    }
  }
  for (const suspect of suspects) add(suspect)
  const isIndependent = (operation: Operation): boolean => {
    switch (operation.op) {
      case 'settle':
        return !settled.has(operation.settlement.requestId)
      case 'refund':
        return !settled.has(operation.requestId)
      case 'hold':
        return !promised.has(operation.account) && !promised.has(operation.limitAccount)
      case 'extend':
        // Its accounts are those of a hold that may not be in the tables yet.
        return promised.size === 0 && !held.has(operation.requestId)
      case 'renew':
      case 'void':
        return !held.has(operation.requestId)
      case 'account':
        return true
      default:
        return !promised.has(operation.account)
    }
  }
  return { isIndependent, add }
}
