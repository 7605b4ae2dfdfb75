import * as v from 'valibot'
import { defineRoute } from '../route.ts'
import { rowId } from '../row-id.ts'
import { pageQuery } from '../scalars.ts'

/** Something that an administrator should see to. */
export const alarm = v.object({
  id: rowId,
  /**
   * `unpriced_model`: a model was asked for that has no price on the channel. `unpriced_unit`: it did something besides, such
   * as a search, that has none and was not charged. `ending_model`: a model in use that its vendor ends within 30 days.
   */
  kind: v.string(),
  /** The name of the model at the provider; `<model>: <unit>` for what it did besides, `<model>: <YYYY-MM-DD>` for one that ends. */
  subject: v.string(),
  /** 0 when it is about no channel. */
  channel_id: v.number(),
  /** Empty when the channel is gone. */
  channel_name: v.string(),
  /** Unix milliseconds. */
  first_seen_ms: v.number(),
  last_seen_ms: v.number(),
  /** How often it happened. */
  count: v.number(),
})
export type Alarm = v.InferOutput<typeof alarm>

export const listAlarms = defineRoute({
  method: 'GET',
  changes: false,
  path: '/api/alarm/',
  access: 'alarms.manage',
  summary:
    'What administrators should see to, latest first: models, and what they did besides, without a price, and models that end soon',
  query: v.object({ p: pageQuery.p, size: pageQuery.size }),
  data: v.array(alarm),
  paged: true,
})

export const dismissAlarm = defineRoute({
  method: 'POST',
  path: '/api/alarm/:id/dismiss',
  access: 'alarms.manage',
  summary: 'Take an alarm off the list; it comes back when it still happens a week later',
})
