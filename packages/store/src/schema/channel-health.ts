export interface ChannelHistoryTable {
  channel_id: number
  /** Length of the slot in seconds; see `queries/channel-history.ts`. */
  span_s: number
  /** Unix seconds, a multiple of the length. */
  start_s: number
  answered: number
  /** Calls that failed through the fault of the provider, its account or its limits. */
  failed: number
}

/**
 * A replica's report to the others that a lane is in cooldown, or that a channel's cooldowns are forgotten. Rows are never changed.
 */
export interface ChannelRestTable {
  replica: string
  /** Number of the report, counted by the replica. */
  number: number
  channel_id: number
  /** Fingerprint of the key. */
  key: string
  /** Empty when the cooldown is for all models of the key. */
  model: string
  /** A `CooldownCause` of routing; empty when all cooldowns of the channel are forgotten. */
  cause: string
  /** Unix milliseconds by the database's clock, because replicas' clocks may differ. */
  at_ms: number
  until_ms: number
}
