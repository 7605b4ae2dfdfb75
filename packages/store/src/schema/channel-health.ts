/** Calls to a channel in one slot of time. */
export interface ChannelHistoryTable {
  channel_id: number
  /** Length of the slot in seconds; see `queries/channel-history.ts`. */
  span_s: number
  /** Unix seconds, a multiple of the length. */
  start_s: number
  /** Calls that were answered well. */
  answered: number
  /** Calls that failed through the fault of the provider, its account or its limits. */
  failed: number
}

/** That a channel is in cooldown, or no longer, as one replica tells the others. Rows are never changed. */
export interface ChannelRestTable {
  replica: string
  /** Counts what this replica has reported. */
  number: number
  channel_id: number
  /** Fingerprint of the key. */
  key: string
  /** Empty: every model of the key. */
  model: string
  /** As `CooldownCause` of routing; empty: whatever was held against the channel is forgotten. */
  cause: string
  /** Unix milliseconds by the clock of the database, because those of replicas may differ. */
  at_ms: number
  until_ms: number
}
