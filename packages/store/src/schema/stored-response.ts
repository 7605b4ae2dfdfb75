import type { Generated } from 'kysely'

/**
 * A response that a provider stores, or one of its items: later calls can refer to it by its id. The calls of all users reach a
 * provider under the channel's key, so only this table knows whose it is.
 */
export interface StoredResponseTable {
  /** The id that the provider gave it. */
  id: string
  user_id: number
  channel_id: number
  /** Fingerprint of the key that it was made with; empty in rows older than the column. */
  key_fingerprint: Generated<string>
  /** The model's name on the channel: that of the requested model, or of the fallback that replaced it. */
  model: string
  /** Unix milliseconds. */
  kept_ms: number
}

/** A response that is made while no client waits, kept until it expires. */
export interface BackgroundResponseTable {
  id: string
  user_id: number
  /** `in_progress`, `completed`, `incomplete`, `failed` or `cancelled`. */
  status: string
  /** The response object as JSON, sealed. */
  response_sealed: string
  /** Length of the sealed text. */
  bytes: number
  /** The provider's id for it, if the provider stores it; otherwise empty. */
  provider_id: Generated<string>
  /** Until when the process that makes it counts as alive. */
  alive_ms: number
  expires_ms: number
}
