import { splitList } from '@sluice/contract/fields/comma-list'
import type { Kysely } from 'kysely'
import { asNumber } from '../../aggregates.ts'
import { contains, type Page, readPage } from '../../paging.ts'
import type { Schema } from '../../schema/schema.ts'
import { CHANNEL_STATUS } from '../../statuses.ts'

export interface PricedChannel {
  readonly name: string
  readonly type: number
  readonly models: readonly string[]
  readonly groups: readonly string[]
  readonly priority: number
  /** JSON strings, as stored. */
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
      'priority',
      'model_configs as modelConfigs',
      'model_mapping as modelMapping',
    ])
    .where('status', '=', CHANNEL_STATUS.enabled)
    .orderBy('id')
    .execute()
  return rows.map((row) => ({ ...row, models: splitList(row.models), groups: splitList(row.groups) }))
}

/** One page of the channels whose name contains `keyword`, newest first, with only the columns that anyone may see. */
export async function listChannelHealth(db: Kysely<Schema>, page: Page, keyword: string) {
  const all = db.selectFrom('channel')
  const found = keyword === '' ? all : all.where(contains('name', keyword))
  const rows = found
    .select(['id', 'name', 'status'])
    .select(['response_time as responseTime', 'test_time as testTime', 'created_time as createdTime'])
    .orderBy('id', 'desc')
  return await readPage(rows, found, page)
}

/** How many channels there are in each status, and how long their tests took. */
export async function sumChannelHealth(db: Kysely<Schema>) {
  const rows = await db
    .selectFrom('channel')
    .select((eb) => [
      'status',
      eb.fn.countAll<number | bigint>().as('channels'),
      eb.fn.sum<number | bigint | null>('response_time').as('responseTime'),
      eb.fn.sum<number | bigint | null>(eb.case().when('response_time', '>', 0).then(1).else(0).end()).as('tested'),
    ])
    .groupBy('status')
    .execute()
  return rows.map(({ status, channels, responseTime, tested }) => ({
    status,
    channels: asNumber(channels),
    /** Sum of the channels' last test times in milliseconds, and how many channels had a successful test. */
    responseTime: asNumber(responseTime),
    tested: asNumber(tested),
  }))
}
