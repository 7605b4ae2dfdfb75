import { type Kysely, sql } from 'kysely'
import { asBigInt, asNumber } from '../aggregates.ts'
import type { Schema } from '../schema.ts'

/** Days since 1970-01-01 UTC, both included. */
export interface DayRange {
  readonly from: number
  readonly to: number
}

/** Which part of the usage to look at. Absent means any. */
export interface UsageFilter {
  readonly userId?: number | undefined
  readonly channelId?: number | undefined
  readonly model?: string | undefined
}

/** Sums of one day and one group. Amount in mq. */
export interface UsageSums {
  readonly day: number
  readonly requests: number
  readonly promptTokens: number
  readonly completionTokens: number
  readonly amount: bigint
}

type Aggregate = number | bigint | string | null

/** Amount charged (mq) on these days. */
export async function sumUsage(db: Kysely<Schema>, days: DayRange, filter: UsageFilter): Promise<bigint> {
  const { amount } = await during(db, days, filter)
    .select(sql<Aggregate>`sum(amount)`.as('amount'))
    .executeTakeFirstOrThrow()
  return asBigInt(amount)
}

/** Usage by day and model, oldest day first. */
export async function usageByModel(db: Kysely<Schema>, days: DayRange, filter: UsageFilter) {
  const rows = await sums(during(db, days, filter))
    .select('model')
    .groupBy(['day', 'model'])
    .orderBy('day')
    .orderBy('model')
    .execute()
  return rows.map((row) => ({ ...read(row), model: row.model }))
}

/**
 * Usage by day and user, oldest day first. The `top` users who spent the most in these days have rows of their own; all
 * others share one row per day under the id 0. The name is null for them, and for a user who is unknown.
 */
export async function usageByUser(db: Kysely<Schema>, days: DayRange, filter: UsageFilter, top: number) {
  const byUser = sums(during(db, days, filter))
    .leftJoin(spenders(db, days, filter, 'user_id', top), 'apart.id', 'usage_daily.user_id')
    .select('apart.id')
    .groupBy(['day', 'apart.id'])
  const rows = await db
    .selectFrom(byUser.as('usage'))
    .leftJoin('user', 'user.id', 'usage.id')
    .selectAll('usage')
    .select('user.username')
    .orderBy('usage.day')
    .orderBy(sql`coalesce(${sql.ref('usage.id')}, 0)`)
    .execute()
  return rows.map((row) => ({ ...read(row), userId: row.id ?? 0, username: row.username }))
}

/**
 * Usage by day and token, oldest day first, with the `top` tokens apart and all others under the id 0, as above. Names are
 * null for those, and for a token that was deleted or a user who is unknown.
 */
export async function usageByToken(db: Kysely<Schema>, days: DayRange, filter: UsageFilter, top: number) {
  const byToken = sums(during(db, days, filter))
    .leftJoin(spenders(db, days, filter, 'token_id', top), 'apart.id', 'usage_daily.token_id')
    .select(['apart.id', sql<number | null>`case when apart.id is not null then min(user_id) end`.as('owner')])
    .groupBy(['day', 'apart.id'])
  const rows = await db
    .selectFrom(byToken.as('usage'))
    .leftJoin('user', 'user.id', 'usage.owner')
    .leftJoin('token', 'token.id', 'usage.id')
    .selectAll('usage')
    .select(['user.username', 'token.name as tokenName'])
    .orderBy('usage.day')
    .orderBy(sql`coalesce(${sql.ref('usage.id')}, 0)`)
    .execute()
  return rows.map((row) => ({
    ...read(row),
    userId: row.owner ?? 0,
    username: row.username,
    tokenId: row.id ?? 0,
    tokenName: row.tokenName,
  }))
}

/** Balances (mq) and states of users, summed: of one, or of all that are not deleted. */
export async function sumBalances(db: Kysely<Schema>, userId: number | undefined) {
  const row = await db
    .selectFrom('user')
    .leftJoin('account', (join) => join.on('account.kind', '=', 'user').onRef('account.owner_id', '=', 'user.id'))
    .where('user.status', '<>', 3)
    .$if(userId !== undefined, (users) => users.where('user.id', '=', userId ?? 0))
    .select([
      sql<Aggregate>`sum(account.posted)`.as('posted'),
      sql<Aggregate>`sum(account.spent)`.as('spent'),
      sql<Aggregate>`count(*)`.as('users'),
      sql<Aggregate>`sum(case when ${sql.ref('user.status')} = 1 then 1 else 0 end)`.as('active'),
    ])
    .executeTakeFirstOrThrow()
  return {
    posted: asBigInt(row.posted),
    spent: asBigInt(row.spent),
    users: asNumber(row.users),
    active: asNumber(row.active),
  }
}

function during(db: Kysely<Schema>, days: DayRange, { userId, channelId, model }: UsageFilter) {
  return db
    .selectFrom('usage_daily')
    .where('day', '>=', days.from)
    .where('day', '<=', days.to)
    .$if(userId !== undefined, (usage) => usage.where('user_id', '=', userId ?? 0))
    .$if(channelId !== undefined, (usage) => usage.where('channel_id', '=', channelId ?? 0))
    .$if(model !== undefined, (usage) => usage.where('model', '=', model ?? ''))
}

/** Those who spent the most in these days. */
function spenders(
  db: Kysely<Schema>,
  days: DayRange,
  filter: UsageFilter,
  column: 'user_id' | 'token_id',
  top: number,
) {
  return during(db, days, filter)
    .select(`${column} as id`)
    .groupBy(column)
    .orderBy(sql`sum(amount)`, 'desc')
    .orderBy(column)
    .limit(top)
    .as('apart')
}

function sums(usage: ReturnType<typeof during>) {
  return usage.select([
    'day',
    sql<Aggregate>`sum(requests)`.as('requests'),
    sql<Aggregate>`sum(prompt_tokens)`.as('promptTokens'),
    sql<Aggregate>`sum(completion_tokens)`.as('completionTokens'),
    sql<Aggregate>`sum(amount)`.as('amount'),
  ])
}

interface RawSums {
  readonly day: number
  readonly requests: Aggregate
  readonly promptTokens: Aggregate
  readonly completionTokens: Aggregate
  readonly amount: Aggregate
}

function read(row: RawSums): UsageSums {
  return {
    day: row.day,
    requests: asNumber(row.requests),
    promptTokens: asNumber(row.promptTokens),
    completionTokens: asNumber(row.completionTokens),
    amount: asBigInt(row.amount),
  }
}
