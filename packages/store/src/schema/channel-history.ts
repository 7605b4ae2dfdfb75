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
