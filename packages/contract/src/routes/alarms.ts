import * as v from 'valibot'
import { defineRoute } from '../route.ts'
import { rowId } from '../row-id.ts'
import { pageQuery } from '../scalars.ts'

/** Something that needs an administrator's attention. */
export const alarm = v.object({
  id: rowId,
  /**
   * `unpriced_model`: a requested model has no price on the channel. `unpriced_unit`: it did something in addition, such as a
   * search, that has no price and was not charged. `ending_model`: a model in use that its vendor ends within 30 days.
   * `configuration_drift`: a setting or channel is no longer as the configuration file that owns it left it; gone once it is again.
   */
  kind: v.string(),
  /** The provider's name of the model; `<model>: <unit>` for the additional unit, `<model>: <YYYY-MM-DD>` for one that ends; key of the option or name of the channel. */
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
