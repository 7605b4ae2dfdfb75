import type { UpstreamError } from '@sluice/dialects/canon/upstream-error'

/**
 * What a failed call says about the channel it went through: account → its key or account is refused, so every further call will
 * fail too · limited → too many calls at the moment · request → the request is at fault, not the channel · provider → the provider
 * does not work · stopped → given up here · setup → the channel cannot be called as it is configured, so nothing was sent
 */
export type FailureCause = 'account' | 'limited' | 'request' | 'provider' | 'stopped' | 'setup'

/** Statuses by which providers refuse the operator's key or account. */
export const ACCOUNT_STATUSES: ReadonlySet<number> = new Set([401, 402, 403])

/** The types and codes by which providers say so under any status; fixed words of their protocols, never prose. */
const ACCOUNT_WORDS: ReadonlySet<string> = new Set([
  'insufficient_quota',
  'authentication_error',
  'permission_error',
  'forbidden',
  'invalid_api_key',
  'account_deactivated',
  // Google says a wrong key under status 400.
  'API_KEY_INVALID',
])

/** Cause of an answer with a failing status, or of an error under a good one. */
export function causeOfAnswer(status: number, error: Pick<UpstreamError, 'type' | 'code'> | undefined): FailureCause {
  const saysAccount = ACCOUNT_WORDS.has(String(error?.type)) || ACCOUNT_WORDS.has(String(error?.code))
  if (saysAccount || ACCOUNT_STATUSES.has(status)) return 'account'
  if (status === 429) return 'limited'
  // A redirect is not an answer, and a provider that is too slow to read a request says 408.
  return status < 400 || status >= 500 || status === 408 ? 'provider' : 'request'
}
