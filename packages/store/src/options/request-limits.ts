/** A caller's limits; 0 sets no limit. */
export interface RequestLimits {
  /** Requests per minute. */
  readonly rpm: number
  /** Tokens per minute, of prompts and answers together. */
  readonly tpm: number
  /** Requests running at the same time. */
  readonly concurrency: number
}

export const NO_LIMITS: RequestLimits = { rpm: 0, tpm: 0, concurrency: 0 }

export const LIMIT_MAX = 1_000_000_000
