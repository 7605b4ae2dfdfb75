import { type Kysely, type RawBuilder, sql } from 'kysely'
import { asBigInt, asNumber } from '../../aggregates.ts'
import type { Schema } from '../../schema/schema.ts'
import { USER_STATUS } from '../../statuses.ts'
import { type Apart, type DayRange, type Spender, topSpenders } from './usage-spenders.ts'

/** Sums of one day and one group. Amount in mq. */
export interface UsageSums {
  readonly day: number
  readonly requests: number
  readonly promptTokens: number
  readonly completionTokens: number
  readonly amount: bigint
}

export interface ModelUsage extends UsageSums {
  readonly model: string
}

/** `userId` 0: all users without rows of their own. The name is null for them, and for an unknown user. */
export interface UserUsage extends UsageSums {
  readonly userId: number
  readonly username: string | null
}

/** As above; the token's name is also null when it was deleted. */
export interface TokenUsage extends UserUsage {
  readonly tokenId: number
  readonly tokenName: string | null
}

/** Usage on some days, summed three ways: by day and model, by day and user, by day and token; oldest day first. */
export interface Usage {
  readonly models: readonly ModelUsage[]
  readonly users: readonly UserUsage[]
  readonly tokens: readonly TokenUsage[]
}

type Aggregate = number | bigint | string | null

/** Name under which the remaining models share a row. */
const OTHER_MODELS = 'Others'

/**
 * Usage of everyone, or of one user. The users and tokens that spent the most in these days have separate rows, as do the models
 * with the greatest share of the requests, tokens or costs; the others share one row per day, under the id 0 or the name `Others`.
 * For everyone over a year, it reads a row per day for each listed model or token, and the other tokens' 32-day sums.
 */
export async function readUsage(
  db: Kysely<Schema>,
  days: DayRange,
  userId: number | undefined,
  apart: Apart,
): Promise<Usage> {
  const [known, daily, spenders] = await Promise.all([
    modelTotals(db, days, userId),
    dailyTotals(db, days, userId),
    topSpenders(db, days, userId, apart),
  ])
  const [models, users, tokens] = await Promise.all([
    modelsByDay(db, days, userId, topModels(known, apart.models)),
    usersByDay(db, days, spenders.users),
    tokensByDay(db, days, spenders.tokens),
  ])
  const total = perDay(daily)
  return {
    models: withOthers(models, total, { model: OTHER_MODELS }),
    users: withOthers(users, total, { userId: 0, username: null }),
    tokens: withOthers(tokens, total, { userId: 0, username: null, tokenId: 0, tokenName: null }),
  }
}

/** The roll-up without users, or the rows of one user, from here and from before an import. */
function usageOf(days: DayRange, userId: number | undefined): RawBuilder<unknown> {
  if (userId === undefined) return sql`from usage_daily_model where ${during(days)}`
  const from = (table: 'usage_daily' | 'imported_usage') => sql`
    select day, model, requests, prompt_tokens, completion_tokens, amount from ${sql.table(table)}
    where user_id = ${userId} and ${during(days)}`
  return sql`from (${from('usage_daily')} union all ${from('imported_usage')}) as own where ${during(days)}`
}

async function dailyTotals(db: Kysely<Schema>, days: DayRange, userId: number | undefined): Promise<UsageSums[]> {
  const { rows } = await sql<RawSums>`select day, ${SUMS} ${usageOf(days, userId)} group by day`.execute(db)
  return rows.map(read)
}

async function modelTotals(db: Kysely<Schema>, days: DayRange, userId: number | undefined): Promise<ModelUsage[]> {
  const { rows } = await sql<RawSums & { model: string }>`
    select 0 as day, model, ${SUMS} ${usageOf(days, userId)} group by model order by model`.execute(db)
  return rows.map((row) => ({ ...read(row), model: row.model }))
}

/** The cheapest model may have the most requests, so each model is ranked by its greatest share of the three totals. */
function topModels(models: readonly ModelUsage[], top: number): readonly string[] {
  if (models.length <= top) return models.map(({ model }) => model)
  const all = perDay(models).get(0)
  const share = (part: number, whole: number): number => (whole === 0 ? 0 : part / whole)
  const rank = ({ requests, promptTokens, completionTokens, amount }: UsageSums): number =>
    Math.max(
      share(requests, all?.requests ?? 0),
      share(promptTokens + completionTokens, (all?.promptTokens ?? 0) + (all?.completionTokens ?? 0)),
      share(Number(amount), Number(all?.amount ?? 0)),
    )
  const ranked = models.toSorted((a, b) => rank(b) - rank(a))
  return ranked.slice(0, top).map(({ model }) => model)
}

async function modelsByDay(
  db: Kysely<Schema>,
  days: DayRange,
  userId: number | undefined,
  models: readonly string[],
): Promise<ModelUsage[]> {
  if (models.length === 0) return []
  const { rows } = await sql<RawSums & { model: string }>`
    select day, model, ${SUMS} ${usageOf(days, userId)} and model in (${sql.join(models)})
    group by day, model order by day, model`.execute(db)
  return rows.map((row) => ({ ...read(row), model: row.model }))
}

async function usersByDay(db: Kysely<Schema>, days: DayRange, users: readonly Spender[]): Promise<UserUsage[]> {
  if (users.length === 0) return []
  const ids = users.map((user) => user.user_id)
  const [{ rows }, names] = await Promise.all([
    sql<RawSums & { user_id: number }>`
      select user_id, day, ${SUMS} from usage_daily_token
      where user_id in (${sql.join(ids)}) and ${during(days)} group by user_id, day order by user_id`.execute(db),
    userNames(db, ids),
  ])
  return rows.map((row) => ({ ...read(row), userId: row.user_id, username: names.get(row.user_id) ?? null }))
}

async function tokensByDay(db: Kysely<Schema>, days: DayRange, tokens: readonly Spender[]): Promise<TokenUsage[]> {
  if (tokens.length === 0) return []
  const [owners, ids] = [[...new Set(tokens.map((token) => token.user_id))], tokens.map((token) => token.token_id)]
  // The query combines all these users with all these tokens. Every user has a token 0, their use without one, so it may find pairs
  // that were not requested.
  const requested = new Set(tokens.map(({ user_id, token_id }) => `${user_id} ${token_id}`))
  const [{ rows }, users, named] = await Promise.all([
    sql<RawSums & Spender>`
      select user_id, token_id, day, requests, prompt_tokens as "promptTokens", completion_tokens as "completionTokens", amount
      from usage_daily_token
      where user_id in (${sql.join(owners)}) and token_id in (${sql.join(ids)}) and ${during(days)} order by token_id`.execute(
      db,
    ),
    userNames(db, owners),
    db.selectFrom('token').select(['id', 'name']).where('id', 'in', ids).execute(),
  ])
  const names = new Map(named.map(({ id, name }) => [id, name]))
  const apart = rows.filter((row) => requested.has(`${row.user_id} ${row.token_id}`))
  return apart.map((row) => ({
    ...read(row),
    userId: row.user_id,
    username: users.get(row.user_id) ?? null,
    tokenId: row.token_id,
    tokenName: names.get(row.token_id) ?? null,
  }))
}

async function userNames(db: Kysely<Schema>, ids: readonly number[]): Promise<ReadonlyMap<number, string>> {
  const rows = await db.selectFrom('user').select(['id', 'username']).where('id', 'in', ids).execute()
  return new Map(rows.map(({ id, username }) => [id, username]))
}

/** Adds the rest of each day's total as a separate row, and sorts all rows by day. */
function withOthers<Row extends UsageSums>(
  rows: readonly Row[],
  total: ReadonlyMap<number, UsageSums>,
  others: Omit<Row, keyof UsageSums>,
): Row[] {
  const apart = perDay(rows)
  const rest: Row[] = []
  for (const [day, sums] of total) {
    const known = apart.get(day)
    const left = known === undefined ? sums : subtract(sums, known)
    if (left.requests !== 0 || left.amount !== 0n || left.promptTokens !== 0 || left.completionTokens !== 0) {
      rest.push({ ...others, ...left } as Row)
    }
  }
  return [...rest, ...rows].sort((a, b) => a.day - b.day)
}

function perDay(rows: readonly UsageSums[]): ReadonlyMap<number, UsageSums> {
  const total = new Map<number, { -readonly [K in keyof UsageSums]: UsageSums[K] }>()
  for (const { day, requests, promptTokens, completionTokens, amount } of rows) {
    const sum = total.get(day)
    if (sum === undefined) {
      total.set(day, { day, requests, promptTokens, completionTokens, amount })
      continue
    }
    sum.requests += requests
    sum.promptTokens += promptTokens
    sum.completionTokens += completionTokens
    sum.amount += amount
  }
  return total
}

function subtract(from: UsageSums, part: UsageSums): UsageSums {
  return {
    day: from.day,
    requests: from.requests - part.requests,
    promptTokens: from.promptTokens - part.promptTokens,
    completionTokens: from.completionTokens - part.completionTokens,
    amount: from.amount - part.amount,
  }
}

const SUMS = sql`sum(requests) as requests, sum(prompt_tokens) as "promptTokens",
  sum(completion_tokens) as "completionTokens", sum(amount) as amount`

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

function during({ from, to }: DayRange): RawBuilder<unknown> {
  return sql`day >= ${from} and day <= ${to}`
}

/** Summed balances (mq) and states of one user, or of all users who are not deleted. */
export async function sumBalances(db: Kysely<Schema>, userId: number | undefined) {
  const row = await db
    .selectFrom('user')
    .leftJoin('account', (join) => join.on('account.kind', '=', 'user').onRef('account.owner_id', '=', 'user.id'))
    .where('user.status', '<>', USER_STATUS.deleted)
    .$if(userId !== undefined, (users) => users.where('user.id', '=', userId ?? 0))
    .select([
      sql<Aggregate>`sum(account.posted)`.as('posted'),
      sql<Aggregate>`sum(account.spent)`.as('spent'),
      sql<Aggregate>`count(*)`.as('users'),
      sql<Aggregate>`sum(case when ${sql.ref('user.status')} = ${sql.lit(USER_STATUS.enabled)} then 1 else 0 end)`.as(
        'active',
      ),
    ])
    .executeTakeFirstOrThrow()
  return {
    posted: asBigInt(row.posted),
    spent: asBigInt(row.spent),
    users: asNumber(row.users),
    active: asNumber(row.active),
  }
}
