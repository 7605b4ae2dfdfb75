/** What a caller may request; 0 sets no limit. */
export interface RequestLimits {
  /** Requests in a minute. */
  readonly rpm: number
  /** Tokens in a minute, of prompts and answers together. */
  readonly tpm: number
  /** Requests under way at the same time. */
  readonly concurrency: number
}

export const NO_LIMITS: RequestLimits = { rpm: 0, tpm: 0, concurrency: 0 }

export const LIMIT_MAX = 1_000_000_000
