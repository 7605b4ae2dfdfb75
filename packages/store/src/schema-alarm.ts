import type { Generated } from 'kysely'

/** What administrators should know of, until they have dismissed it. */
export interface AlarmTable {
  id: Generated<number>
  /**
   * `unpriced_model`: a model was asked for that has no price on the channel. `unpriced_unit`: it did something besides, such
   * as a search, that has none and was not charged.
   */
  kind: string
  /** The model's name; `<model>: <unit>` for what it did besides. */
  subject: string
  /** 0 when it is about no channel. */
  channel_id: number
  /** Unix milliseconds. */
  first_seen_ms: number
  last_seen_ms: number
  occurrences: number
  /** 0 while nobody has dismissed it. */
  dismissed_ms: number
}
