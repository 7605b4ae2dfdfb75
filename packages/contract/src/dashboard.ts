import * as v from 'valibot'
import { essential, orList, whenAbsent } from './absence.ts'
import { exactQuota, unixSeconds, wholeQuota } from './scalars.ts'

const totals = {
  /** YYYY-MM-DD, UTC. */
  Day: v.string(),
  // Absent fields count as 0, so that sums over the other rows still work.
  RequestCount: whenAbsent(v.number(), 0),
  Quota: whenAbsent(wholeQuota, 0),
  QuotaExact: exactQuota,
  PromptTokens: whenAbsent(v.number(), 0),
  CompletionTokens: whenAbsent(v.number(), 0),
} as const

export const modelDay = v.object({ ...totals, ModelName: v.string() })
/** Users who spent little share one row a day, named `Others`, with id 0. The name is empty when the user is unknown. */
export const userDay = v.object({ ...totals, Username: v.string(), UserId: v.number() })
/** The token name is empty if the token was deleted. */
export const tokenDay = v.object({ ...totals, TokenName: v.string(), Username: v.string(), UserId: v.number() })

export const dashboard = orList(
  v.object({
    logs: v.array(modelDay),
    user_logs: v.array(userDay),
    token_logs: v.array(tokenDay),
    total_quota: wholeQuota,
    total_quota_exact: exactQuota,
    used_quota: wholeQuota,
    used_quota_exact: exactQuota,
    status: v.string(),
  }),
  'logs',
)
export type Dashboard = v.InferOutput<typeof dashboard>

export const dashboardUser = v.object({ id: essential(v.number()), username: v.string(), display_name: v.string() })
export type DashboardUser = v.InferOutput<typeof dashboardUser>

/** Usage of a model per UTC day or hour, in the format of New API's charts. */
export const chartRow = v.object({
  /** Always 0: these rows have no ids. */
  id: v.literal(0),
  /** 0 and '' for all users. */
  user_id: v.number(),
  username: v.string(),
  model_name: v.string(),
  created_at: unixSeconds,
  /** Prompt and answer tokens together. */
  token_used: v.number(),
  count: v.number(),
  quota: wholeQuota,
  quota_exact: exactQuota,
})
export type ChartRow = v.InferOutput<typeof chartRow>
