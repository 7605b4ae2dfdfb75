import type { Refusal } from '@sluice/contract/errors'

/** A reason to refuse requests before any work is done for them: charges cannot be made durable, or as many wait as may. */
export function ledgerOverload(isStuck: boolean, isFull: boolean, mostWaiting: number): Refusal | undefined {
  if (isStuck) return { code: 'ledger_unavailable', retryAfter: 2 }
  if (!isFull) return undefined
  return { code: 'overloaded', params: { limit: `${mostWaiting} waiting charges` }, retryAfter: 1 }
}

/**
 * Requests that may be open where this many may be under way: as many can wait for a slot, and as many again can be on their way to
 * one, because whose they are is not known yet.
 */
export function openRequestsFor(underWay: number): number {
  return underWay * 3
}
