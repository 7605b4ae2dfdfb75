import { type Kysely, sql } from 'kysely'
import type { Schema } from '../../schema/schema.ts'
import { bumpVersion } from '../../snapshots/versions.ts'
import { SETTING_COLUMNS } from './channels.ts'

/** Columns that a copy shares: all settings except the name, then the keys and whether the channel is on. */
const COPIED = [
  ...SETTING_COLUMNS.filter((column) => column !== 'name'),
  'key_sealed',
  'key_count',
  'status',
  'disabled_reason',
  'disabled_ms',
] as const

/**
 * Copies a channel under another name, with its keys and which of them are off. Its tests, balance and charges are not copied.
 * Returns the new id, or undefined when there is no such channel.
 */
export async function copyChannel(
  db: Kysely<Schema>,
  id: number,
  { name, createdTime }: { readonly name: string; readonly createdTime: number },
): Promise<number | undefined> {
  return await db.transaction().execute(async (trx) => {
    const copy = await trx
      .insertInto('channel')
      .columns([...COPIED, 'name', 'created_time', 'response_time', 'test_time'])
      .expression((eb) =>
        eb
          .selectFrom('channel')
          .select([...COPIED])
          .select([
            sql<string>`cast(${name} as text)`.as('name'),
            sql<number>`cast(${createdTime} as double precision)`.as('created_time'),
            sql<number>`0`.as('response_time'),
            sql<number>`0`.as('test_time'),
          ])
          .where('id', '=', id),
      )
      .returning('id')
      .executeTakeFirst()
    if (copy === undefined) return undefined
    await trx
      .insertInto('channel_key')
      .columns(['channel_id', 'fingerprint', 'status', 'reason', 'since_ms'])
      .expression((eb) =>
        eb
          .selectFrom('channel_key')
          .select([
            sql<number>`cast(${copy.id} as integer)`.as('channel_id'),
            'fingerprint',
            'status',
            'reason',
            'since_ms',
          ])
          .where('channel_id', '=', id),
      )
      .execute()
    await bumpVersion(trx, 'channels')
    return copy.id
  })
}
