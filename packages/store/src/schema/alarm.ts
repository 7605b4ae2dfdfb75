import type { Generated } from 'kysely'

/** What administrators should know of, until it is dismissed. */
export interface AlarmTable {
  id: Generated<number>
  /**
   * `unpriced_model`: a requested model has no price on the channel. `unpriced_unit`: the model did something else, such as a
   * search, that has no price and was not charged. `ending_model`: its vendor ends it soon. `configuration_drift`: something has changed what
   * a configuration file owns.
   */
  kind: string
  /** The model's name; `<model>: <unit>` for what else it did; of drift the option or channel. */
  subject: string
  /** 0 when it is not about a channel. */
  channel_id: number
  /** Unix milliseconds. */
  first_seen_ms: number
  last_seen_ms: number
  occurrences: number
  /** 0 while it has not been dismissed. */
  dismissed_ms: number
}
