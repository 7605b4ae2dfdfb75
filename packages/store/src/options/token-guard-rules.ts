/** What a token guards against. */
export interface TokenGuardRules {
  /** The most that one session may cost, in mq; 0 sets no limit. */
  readonly sessionQuota: bigint
  /** Calls with the same body in a minute; 0 sets no limit. */
  readonly repeatRpm: number
  /** As in `22:00-07:00 Europe/Berlin`; null: none. */
  readonly quietHours: string | null
}

export const NO_GUARD: TokenGuardRules = { sessionQuota: 0n, repeatRpm: 0, quietHours: null }
