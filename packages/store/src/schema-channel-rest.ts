/** That a channel is left alone for a while, or no more, as one replica tells the others. Rows are never changed. */
export interface ChannelRestTable {
  replica: string
  /** Counts what this replica has told. */
  number: number
  channel_id: number
  /** Fingerprint of the key. */
  key: string
  /** Empty: every model of the key. */
  model: string
  /** As `RestCause` of routing; empty: whatever was held against the channel is forgotten. */
  cause: string
  /** Unix milliseconds by the clock of the database, as those of replicas may differ. */
  at_ms: number
  until_ms: number
}
