import type { Kysely } from 'kysely'
import { asNumber } from '../aggregates.ts'
import type { Page } from '../paging.ts'
import type { Schema } from '../schema.ts'
import { splitList } from '../snapshots/lists.ts'

/** A channel as the price list needs it. */
export interface PricedChannel {
  readonly name: string
  readonly type: number
  readonly models: readonly string[]
  readonly groups: readonly string[]
  /** JSON texts, as stored. */
  readonly modelConfigs: string | null
  readonly modelMapping: string | null
}

/** Every enabled channel, by id. */
export async function listPricedChannels(db: Kysely<Schema>): Promise<readonly PricedChannel[]> {
  const rows = await db
    .selectFrom('channel')
    .select([
      'name',
      'type',
      'models',
      'group_names as groups',
      'model_configs as modelConfigs',
      'model_mapping as modelMapping',
    ])
    .where('status', '=', 1)
    .orderBy('id')
    .execute()
  return rows.map((row) => ({ ...row, models: splitList(row.models), groups: splitList(row.groups) }))
}

/** One page of all channels, newest first: only what anybody may see. */
export async function listChannelHealth(db: Kysely<Schema>, page: Page) {
  const [rows, { total }] = await Promise.all([
    db
      .selectFrom('channel')
      .select([
        'name',
        'status',
        'response_time as responseTime',
        'test_time as testTime',
        'created_time as createdTime',
      ])
      .orderBy('id', 'desc')
      .limit(page.limit)
      .offset(page.offset)
      .execute(),
    db
      .selectFrom('channel')
      .select((eb) => eb.fn.countAll<number | bigint>().as('total'))
      .executeTakeFirstOrThrow(),
  ])
  return { rows, total: asNumber(total) }
}
