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
