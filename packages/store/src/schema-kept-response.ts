import type { Generated } from 'kysely'

/**
 * A response that a provider keeps, or one of its items: by its id later calls may refer to it. Every user's calls reach a
 * provider under the channel's one key, so only this table knows whose it is.
 */
export interface KeptResponseTable {
  /** As the provider gave it. */
  id: string
  user_id: number
  channel_id: number
  /** Of the key that it was made with; empty in rows that are older than the column. */
  key_fingerprint: Generated<string>
  /** By the name of its channel: the one that was asked for, or the fallback that took its place. */
  model: string
  /** Unix milliseconds. */
  kept_ms: number
}
