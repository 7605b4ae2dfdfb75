import { type Kysely, sql } from 'kysely'
import { asNumber } from '../../aggregates.ts'
import { CLOCKS_DIFFER_MS } from '../../clocks.ts'
import type { Schema } from '../../schema/schema.ts'

/** Value of `caller` for a minute in which several users called. */
export const SEVERAL = -1

/** Calls in one minute through a channel that count for its health. */
export interface ChannelMinute {
  readonly channel: number
  /** Unix minutes. */
  readonly minute: number
  readonly calls: number
  readonly failed: number
  /** Id of the only user who called, or `SEVERAL`. */
  readonly caller: number
  /** How many failures each user met, by user id. */
  readonly failedOf: ReadonlyMap<number, number>
}

export interface ChannelMinutes {
  readonly calls: number
  readonly failed: number
  readonly badMinutes: number
  /** The most failures that a single user met. */
  readonly mostOfOneUser: number
  readonly isOneCaller: boolean
}

/** Adds calls to their minutes, in key order, so that replicas doing so at the same time do not deadlock. */
export async function addChannelMinutes(db: Kysely<Schema>, minutes: readonly ChannelMinute[]): Promise<void> {
  const sorted = minutes.toSorted((a, b) => a.channel - b.channel || a.minute - b.minute)
  const failures = sorted.flatMap(({ channel, minute, failedOf }) =>
    [...failedOf]
      .toSorted(([a], [b]) => a - b)
      .map(([user, failed]) => ({ channel_id: channel, minute, user_id: user, failed })),
  )
  await db.transaction().execute(async (trx) => {
    for (const rows of inParts(sorted)) {
      await trx
        .insertInto('channel_minute')
        .values(
          rows.map(({ channel, minute, calls, failed, caller }) => ({
            channel_id: channel,
            minute,
            calls,
            failed,
            caller,
          })),
        )
        .onConflict((conflict) =>
          conflict.columns(['channel_id', 'minute']).doUpdateSet({
            calls: sql<number>`channel_minute.calls + excluded.calls`,
            failed: sql<number>`channel_minute.failed + excluded.failed`,
            caller: sql<number>`case when channel_minute.caller = excluded.caller then excluded.caller else ${sql.lit(SEVERAL)} end`,
          }),
        )
        .execute()
    }
    for (const rows of inParts(failures)) {
      await trx
        .insertInto('channel_minute_failure')
        .values(rows)
        .onConflict((conflict) =>
          conflict
            .columns(['channel_id', 'minute', 'user_id'])
            .doUpdateSet({ failed: sql<number>`channel_minute_failure.failed + excluded.failed` }),
        )
        .execute()
    }
  })
}

/**
 * The calls through a channel from a minute on, inclusive. Minutes in which several channels were called and none answered are left
 * out: the cause is then our own network or a provider common to all of them.
 */
export async function sumChannelMinutes(db: Kysely<Schema>, channel: number, since: number): Promise<ChannelMinutes> {
  const dark = await darkMinutes(db, since)
  const [minutes, worst] = await Promise.all([
    db
      .selectFrom('channel_minute')
      .select(['calls', 'failed', 'caller'])
      .where('channel_id', '=', channel)
      .where('minute', '>=', since)
      .where('minute', 'not in', dark)
      .execute(),
    db
      .selectFrom('channel_minute_failure')
      .select(({ fn }) => fn.sum('failed').as('failed'))
      .where('channel_id', '=', channel)
      .where('minute', '>=', since)
      .where('minute', 'not in', dark)
      .groupBy('user_id')
      .orderBy('failed', 'desc')
      .limit(1)
      .executeTakeFirst(),
  ])
  const callers = new Set(minutes.map(({ caller }) => caller))
  return {
    calls: minutes.reduce((sum, { calls }) => sum + calls, 0),
    failed: minutes.reduce((sum, { failed }) => sum + failed, 0),
    badMinutes: minutes.filter(({ failed }) => failed > 0).length,
    mostOfOneUser: asNumber(worst?.failed ?? 0),
    isOneCaller: callers.size === 1 && !callers.has(SEVERAL),
  }
}

/** Never empty, because an SQL list cannot be: it always has minute 0, in which no call was made. */
async function darkMinutes(db: Kysely<Schema>, since: number): Promise<readonly [number, ...number[]]> {
  const rows = await db
    .selectFrom('channel_minute')
    .select('minute')
    .where('minute', '>=', since)
    .groupBy('minute')
    .having(({ fn }) => fn.countAll(), '>', 1)
    .having((eb) => eb(eb.fn.sum('calls'), '=', eb.fn.sum('failed')))
    .execute()
  return [0, ...rows.map(({ minute }) => minute)]
}

/** Removes minutes before `before`, and those that a clock ahead of `now` left, which would count until that time comes. */
export async function purgeChannelMinutes(db: Kysely<Schema>, before: number, now: number): Promise<void> {
  const ahead = now + CLOCKS_DIFFER_MS / 60_000
  for (const table of ['channel_minute', 'channel_minute_failure'] as const) {
    await db
      .deleteFrom(table)
      .where((eb) => eb.or([eb('minute', '<', before), eb('minute', '>', ahead)]))
      .execute()
  }
}

/** Gives a channel a clean record. For the transaction that enables it. */
export async function forgetChannelMinutes(trx: Kysely<Schema>, channel: number): Promise<void> {
  await trx.deleteFrom('channel_minute').where('channel_id', '=', channel).execute()
  await trx.deleteFrom('channel_minute_failure').where('channel_id', '=', channel).execute()
}

/** Rows per statement: engines limit how many values it may have. */
const ROWS_AT_ONCE = 500

function* inParts<Row>(rows: readonly Row[]): Generator<readonly Row[]> {
  for (let at = 0; at < rows.length; at += ROWS_AT_ONCE) yield rows.slice(at, at + ROWS_AT_ONCE)
}
