import { type Kysely, sql } from 'kysely'
import type { Schema } from '../../schema/schema.ts'

/** A channel as needed by checks outside any request. */
export interface ChannelTarget {
  readonly id: number
  readonly name: string
  /** 1 enabled, 2 disabled, 3 disabled automatically. */
  readonly status: number
  readonly models: string
  readonly testingModel: string | null
  /** 0 when the channel has a single key. */
  readonly keyCount: number
  /** When the gateway last disabled it, in unix milliseconds; 0 once a person has switched it. */
  readonly disabledMs: number
  /** How often the gateway did so with less than a day in between. */
  readonly disabledTimes: number
}

/** How many counted tests are kept per channel. */
export const RECENT_TESTS = 20

/** The channels that are in one of these states, oldest first. */
export async function listChannelTargets(
  db: Kysely<Schema>,
  filter: { readonly statuses?: readonly number[]; readonly types?: readonly number[] },
): Promise<readonly ChannelTarget[]> {
  const { statuses, types } = filter
  return await db
    .selectFrom('channel')
    .select(['id', 'name', 'models', 'testing_model as testingModel', 'status'])
    .select(['key_count as keyCount', 'disabled_ms as disabledMs', 'disabled_times as disabledTimes'])
    .$if(statuses !== undefined, (query) => query.where('status', 'in', statuses ?? []))
    .$if(types !== undefined, (query) => query.where('type', 'in', types ?? []))
    .orderBy('id')
    .execute()
}

/**
 * Stores the result of a test and returns all counted results known now: `1` passed, `0` failed, newest last. With `counts`
 * undefined this test is not counted, because it says nothing about the channel. Routing does not depend on tests, so no cache is
 * notified. Undefined when the channel is gone.
 */
export async function recordChannelTest(
  db: Kysely<Schema>,
  id: number,
  result: {
    readonly responseTime: number
    readonly testTime: number
    readonly counts: 'passed' | 'failed' | undefined
  },
): Promise<string | undefined> {
  const mark = result.counts === 'passed' ? '1' : '0'
  // One statement, so that tests ending at the same time are all kept.
  const kept = sql<string>`substr(recent_tests, case when length(recent_tests) >= ${sql.lit(RECENT_TESTS)} then 2 else 1 end)`
  const row = await db
    .updateTable('channel')
    .set({
      response_time: result.responseTime,
      test_time: result.testTime,
      ...(result.counts === undefined ? {} : { recent_tests: sql<string>`${kept} || ${sql.lit(mark)}` }),
    })
    .where('id', '=', id)
    .returning('recent_tests')
    .executeTakeFirst()
  return row?.recent_tests
}

export async function recordChannelBalance(
  db: Kysely<Schema>,
  id: number,
  balance: { readonly micros: number; readonly currency: string; readonly time: number },
): Promise<void> {
  await db
    .updateTable('channel')
    .set({ balance_micros: balance.micros, balance_currency: balance.currency, balance_time: balance.time })
    .where('id', '=', id)
    .execute()
}
