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

/** Usage by day and user, oldest day first. The name is null when the user is unknown. */
export async function usageByUser(db: Kysely<Schema>, days: DayRange, filter: UsageFilter) {
  const byUser = sums(during(db, days, filter))
    .select('user_id')
    .groupBy(['day', 'user_id'])
  const rows = await db
    .selectFrom(byUser.as('usage'))
    .leftJoin('user', 'user.id', 'usage.user_id')
    .selectAll('usage')
    .select('user.username')
    .orderBy('usage.day')
    .orderBy('usage.user_id')
    .execute()
  return rows.map((row) => ({ ...read(row), userId: row.user_id, username: row.username }))
}

/** Usage by day, user and token, oldest day first. Names are null when the user is unknown or the token was deleted. */
export async function usageByToken(db: Kysely<Schema>, days: DayRange, filter: UsageFilter) {
  const byToken = sums(during(db, days, filter))
    .select(['user_id', 'token_id'])
    .groupBy(['day', 'user_id', 'token_id'])
  const rows = await db
    .selectFrom(byToken.as('usage'))
    .leftJoin('user', 'user.id', 'usage.user_id')
    .leftJoin('token', 'token.id', 'usage.token_id')
    .selectAll('usage')
    .select(['user.username', 'token.name as tokenName'])
    .orderBy('usage.day')
    .orderBy('usage.token_id')
    .execute()
  return rows.map((row) => ({
    ...read(row),
    userId: row.user_id,
    username: row.username,
    tokenId: row.token_id,
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
