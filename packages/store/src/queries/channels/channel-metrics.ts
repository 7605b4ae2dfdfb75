import type { Kysely } from 'kysely'
import type { Schema } from '../../schema/schema.ts'

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

/** The first channels by id, at most `limit`. */
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
