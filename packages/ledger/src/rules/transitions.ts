import type { WorkingSet } from './working-set.ts'

/**
 * The state of a request according to the rows. `absent`: nothing is held and nothing was charged; a request that was never held,
 * was refused, or was voided leaves no row that could tell these apart.
 */
export type RequestState = 'absent' | 'open' | 'charged' | 'corrected' | 'refunded'

/** An operation on one request. Only engines issue `recover`, for the holds of dead replicas. */
export type RequestOperation = 'hold' | 'extend' | 'renew' | 'settle' | 'void' | 'recover' | 'refund'

/**
 * Every legal step of a request and the states it can lead to. A step that is not listed is answered `stale` and changes nothing;
 * one that is listed can still be refused because of its amount, and then changes nothing either.
 *
 * - `recover` charges the progress that the hold records; without any it gives the hold back.
 * - A settlement after the charge comes late, from a replica that was presumed dead but only paused: it posts the difference, once.
 * - An administrator's refund is based on what the ledger says, so it makes the charge final. It can be given in parts.
 */
export const TRANSITIONS: Readonly<
  Record<RequestState, { readonly [Operation in RequestOperation]?: readonly RequestState[] }>
> = {
  absent: { hold: ['open'], settle: ['charged'] },
  open: { extend: ['open'], renew: ['open'], settle: ['charged'], void: ['absent'], recover: ['charged', 'absent'] },
  charged: { settle: ['charged', 'corrected'], refund: ['refunded'] },
  corrected: { settle: ['corrected'], refund: ['refunded'] },
  refunded: { settle: ['refunded'], refund: ['refunded'] },
}

export function isLegal(state: RequestState, operation: RequestOperation): boolean {
  return TRANSITIONS[state][operation] !== undefined
}

/** A request with an open hold has not been charged yet, so the common case needs one look-up. */
export function stateOf(set: WorkingSet, requestId: string): RequestState {
  if (set.hold(requestId) !== undefined) return 'open'
  const charged = set.charged(requestId)
  if (charged === undefined) return 'absent'
  if (charged.refunded > 0n) return 'refunded'
  return charged.corrected ? 'corrected' : 'charged'
}
