import type { Generated } from 'kysely'

/**
 * A response that a provider stores, or one of its items: later calls can refer to it by its id. Every user's calls reach a
 * provider under the channel's one key, so only this table knows whose it is.
 */
export interface StoredResponseTable {
  /** As the provider gave it. */
  id: string
  user_id: number
  channel_id: number
  /** Of the key that it was made with; empty in rows that are older than the column. */
  key_fingerprint: Generated<string>
  /** The model by its name on the channel: the one that was requested, or the fallback that took its place. */
  model: string
  /** Unix milliseconds. */
  kept_ms: number
}

/** A response that is made while no client waits, and its answer until the time is over. */
export interface BackgroundResponseTable {
  id: string
  user_id: number
  /** `in_progress`, `completed`, `incomplete`, `failed` or `cancelled`. */
  status: string
  /** The response object as JSON, sealed. */
  response_sealed: string
  /** Length of the sealed text. */
  bytes: number
  /** The provider's id of it, where the provider stores it; otherwise empty. */
  provider_id: Generated<string>
  /** Until when the process that makes it is taken at its word. */
  alive_ms: number
  expires_ms: number
}
