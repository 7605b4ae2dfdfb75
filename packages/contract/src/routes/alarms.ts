import * as v from 'valibot'
import { defineRoute } from '../route.ts'
import { rowId } from '../row-id.ts'
import { pageQuery } from '../scalars.ts'

/** Something that needs an administrator's attention. */
export const alarm = v.object({
  id: rowId,
  /**
   * `unpriced_model`: a requested model has no price on the channel. `unpriced_unit`: the model did something else, such as a
   * search, that has no price and was not charged. `ending_model`: a model in use that its vendor ends within 30 days.
   * `configuration_drift`: a setting or channel is no longer as its configuration file left it; the alarm goes away once it is
   * again.
   */
  kind: v.string(),
  /**
   * The provider's name for the model; `<model>: <unit>` for an unpriced unit; `<model>: <YYYY-MM-DD>` for a model that ends; for
   * drift, the option's key or the channel's name.
   */
  subject: v.string(),
  /** 0 when it does not concern a channel. */
  channel_id: v.number(),
  /** Empty when the channel is gone. */
  channel_name: v.string(),
  /** Unix milliseconds. */
  first_seen_ms: v.number(),
  last_seen_ms: v.number(),
  /** Requests in which it happened; 0 for what requests do not cause. */
  count: v.number(),
})
export type Alarm = v.InferOutput<typeof alarm>

export const listAlarms = defineRoute({
  method: 'GET',
  changes: false,
  path: '/api/alarm/',
  access: 'alarms.manage',
  summary:
    'What administrators should act on, latest first: models and extras without a price, models that will be retired soon, drift',
  query: v.object({ p: pageQuery.p, size: pageQuery.size }),
  data: v.array(alarm),
  paged: true,
})

export const dismissAlarm = defineRoute({
  method: 'POST',
  path: '/api/alarm/:id/dismiss',
  access: 'alarms.manage',
  summary: 'Dismiss an alarm; it returns if it still happens a week later',
})
