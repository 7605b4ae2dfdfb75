import * as v from 'valibot'
import { defineRoute } from '../route.ts'
import { rowId } from '../row-id.ts'
import { pageQuery } from '../scalars.ts'

export const alarm = v.object({
  id: rowId,
  /**
   * `unpriced_model`: a requested model has no price on the channel. `unpriced_unit`: the model did something else, such as a
   * search, that has no price and was not charged. `ending_model`: a vendor ends a model in use within 30 days.
   * `configuration_drift`: a setting or channel differs from its configuration file; the alarm ends when they agree again.
   */
  kind: v.string(),
  /** The provider's model name, then `: <unit>` or `: <YYYY-MM-DD>` if needed; for drift, the option key or channel name. */
  subject: v.string(),
  /** 0 when no channel is concerned. */
  channel_id: v.number(),
  /** Empty when the channel is gone. */
  channel_name: v.string(),
  first_seen_ms: v.number(),
  last_seen_ms: v.number(),
  /** Number of affected requests; 0 for alarms that requests do not cause. */
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
  summary: 'Dismiss an alarm; it returns if its cause persists a week later',
})
