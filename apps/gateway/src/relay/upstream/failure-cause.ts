import type { UpstreamError } from '@sluice/dialects/canon/upstream-error'
import type { Fault } from '@sluice/providers/failures/failure-rule'
import { type FailingKind, faultOf } from '@sluice/providers/failures/fault-of'

/**
 * What a failed call says about its channel: account → its key or account is refused, so every further call will fail too · limited
 * → too many calls at the moment · unknown_model → its provider does not offer the model to this key · request → the request is at
 * fault, not the channel · provider → the provider is broken · stopped → abandoned by the gateway · setup → the channel's
 * configuration does not allow the call, so nothing was sent
 */
export type FailureCause = 'account' | 'limited' | 'unknown_model' | 'request' | 'provider' | 'stopped' | 'setup'

/** Statuses by which providers refuse the operator's key or account. */
export const ACCOUNT_STATUSES: ReadonlySet<number> = new Set([401, 402, 403])

const CAUSES: Readonly<Record<Fault, FailureCause>> = {
  caller: 'request',
  request_here: 'request',
  key: 'account',
  account: 'account',
  limited: 'limited',
  unknown_model: 'unknown_model',
  provider: 'provider',
}

export interface FailedAnswer {
  readonly fault: Fault
  readonly cause: FailureCause
  /** Whether another channel may answer: yes, unless the request would be wrong there too. */
  readonly retry: boolean
}

export function failedAnswer(kind: FailingKind, status: number, error: UpstreamError | undefined): FailedAnswer {
  const fault = faultOf(kind, status, error)
  return { fault, cause: CAUSES[fault], retry: fault !== 'caller' }
}
