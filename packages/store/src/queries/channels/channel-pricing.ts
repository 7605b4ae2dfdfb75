import { type Kysely, type SqlBool, sql } from 'kysely'
import { inTransaction } from '../../in-transaction.ts'
import type { Schema } from '../../schema/schema.ts'
import { bumpVersion } from '../../snapshots/versions.ts'

/** The settings that determine a channel's prices; null and empty texts clear them. */
export interface ChannelPricing {
  readonly modelConfigs: string | null
  readonly config: string
}

/** False when the channel is gone, or no longer holds `before`. */
export async function setChannelPricing(
  db: Kysely<Schema>,
  id: number,
  next: ChannelPricing,
  before: ChannelPricing,
): Promise<boolean> {
  return await inTransaction(db, async (trx) => {
    const { numUpdatedRows } = await trx
      .updateTable('channel')
      .set({ model_configs: next.modelConfigs, config: next.config })
      .where('id', '=', id)
      .where('config', '=', before.config)
      .where(sql<SqlBool>`coalesce(model_configs, '') = ${before.modelConfigs ?? ''}`)
      .executeTakeFirst()
    if (numUpdatedRows > 0n) await bumpVersion(trx, 'channels')
    return numUpdatedRows > 0n
  })
}
