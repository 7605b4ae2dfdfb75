import type { ErrorCode, Refusal } from '@sluice/contract/errors'
import type { WireError } from '@sluice/dialects/canon/upstream-error'

export type FailureReply =
  | { readonly refusal: Refusal; readonly vendor?: never }
  /** A provider's own error, in its own words. */
  | { readonly refusal?: never; readonly vendor: VendorError }

export interface VendorError {
  readonly status: number
  readonly error: WireError
  /** Seconds. */
  readonly retryAfter: number | undefined
}

export function codeOf(reply: FailureReply): ErrorCode {
  return reply.refusal?.code ?? 'upstream_rejected'
}
