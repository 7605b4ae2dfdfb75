import type { dashboard } from '@sluice/contract/dashboard'
import type { InferOutput } from 'valibot'
import { pointsOf } from '~/lib/format/quota.ts'
import type { DateRange } from './range.ts'
import type { Metric } from './search.ts'

type Dashboard = InferOutput<typeof dashboard>

export type Usage = Pick<Dashboard, 'logs' | 'user_logs' | 'token_logs'>
/** Usage with its days: while a newer reply is on its way, the old one is drawn over its own days. */
export interface RangeUsage extends Usage {
  readonly range: DateRange
}

export type ModelDay = Usage['logs'][number]
export type UserDay = Usage['user_logs'][number]
export type TokenDay = Usage['token_logs'][number]

export type UsageRow = Pick<
  ModelDay,
  'Day' | 'RequestCount' | 'Quota' | 'QuotaExact' | 'PromptTokens' | 'CompletionTokens'
>

export function measure(row: UsageRow, metric: Metric): number {
  if (metric === 'requests') return row.RequestCount
  return metric === 'expenses' ? pointsOf(row.Quota, row.QuotaExact) : row.PromptTokens + row.CompletionTokens
}

export interface NameFallbacks {
  readonly unknownModel: string
  readonly unknownUser: string
  readonly unnamedToken: string
  readonly unknownOwner: string
}

export function modelName(row: { readonly ModelName: string }, fallbacks: NameFallbacks): string {
  return row.ModelName.trim() || fallbacks.unknownModel
}

/** The server names the largest consumers and adds up the others under this name and the user 0. */
const ADDED_UP = { name: 'Others', userId: 0 }

/** User 0 without a name is a user that the server does not know. */
function isAddedUp({ Username, UserId }: Pick<UserDay, 'Username' | 'UserId'>): boolean {
  return UserId === ADDED_UP.userId && Username === ADDED_UP.name
}

export function userName(row: Pick<UserDay, 'Username' | 'UserId'>, fallbacks: NameFallbacks): string | undefined {
  return isAddedUp(row) ? undefined : row.Username.trim() || fallbacks.unknownUser
}

/** `ci (alice)`: the token and, in parentheses, its owner. */
export function tokenName(
  row: Pick<TokenDay, 'TokenName' | 'Username' | 'UserId'>,
  fallbacks: NameFallbacks,
): string | undefined {
  if (isAddedUp(row)) return undefined
  return `${row.TokenName.trim() || fallbacks.unnamedToken} (${row.Username.trim() || fallbacks.unknownOwner})`
}
