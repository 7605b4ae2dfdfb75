import type { Kysely } from 'kysely'
import { asNumber } from '../aggregates.ts'
import type { Schema } from '../schema.ts'

/** A channel as monitoring shows it. */
export interface MeasuredChannel {
  readonly id: number
  readonly name: string
  readonly type: number
  readonly status: number
  /** Millionths of `balanceCurrency`, as the provider said at `balanceTime` (unix seconds; 0 never). */
  readonly balanceMicros: number
  readonly balanceCurrency: string
  readonly balanceTime: number
}

/** The first channels by id, at most so many. */
export async function listMeasuredChannels(db: Kysely<Schema>, limit: number): Promise<readonly MeasuredChannel[]> {
  return await db
    .selectFrom('channel')
    .select([
      'id',
      'name',
      'type',
      'status',
      'balance_micros as balanceMicros',
      'balance_currency as balanceCurrency',
      'balance_time as balanceTime',
    ])
    .orderBy('id')
    .limit(limit)
    .execute()
}

/** Processes that were heard of since `since` (unix milliseconds) and were not given up. */
export async function countReplicas(db: Kysely<Schema>, since: number): Promise<number> {
  const { count } = await db
    .selectFrom('replica')
    .select((eb) => eb.fn.countAll<number | bigint>().as('count'))
    .where('dead', '=', 0)
    .where('heartbeat_ms', '>', since)
    .executeTakeFirstOrThrow()
  return asNumber(count)
}
