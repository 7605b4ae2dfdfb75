import type { Kysely } from 'kysely'
import type { Schema } from '../../schema/schema.ts'

export type RecentCharge = Awaited<ReturnType<typeof listRecentCharges>>[number]

/** Charges of users' relayed requests, newest first, ids from `from` to before `before`. `since` is unix milliseconds. */
export async function listRecentCharges(
  db: Kysely<Schema>,
  { from, before, since }: { readonly from: string; readonly before: string; readonly since: number },
  limit: number,
) {
  return await db
    .selectFrom('transfer')
    .innerJoin('account', 'account.id', 'transfer.debit')
    .innerJoin('price', 'price.id', 'transfer.price_id')
    .innerJoin('user', 'user.id', 'account.owner_id')
    .select([
      'transfer.request_id as requestId',
      'transfer.at_ms as at',
      'transfer.channel_id as channelId',
      'transfer.model',
      'transfer.input_tokens as input',
      'transfer.cached_tokens as cachedInput',
      'transfer.cache_write_5m_tokens as cacheWrite5m',
      'transfer.cache_write_1h_tokens as cacheWrite1h',
      'transfer.output_tokens as output',
      'transfer.units',
      'price.group_ratio as groupRatio',
      'user.id as userId',
      'user.username',
      'user.group_name as userGroup',
    ])
    .where('transfer.kind', '=', 'consume')
    .where('account.kind', '=', 'user')
    .where('transfer.channel_id', '>', 0)
    .where('transfer.request_id', '>=', from)
    .where('transfer.request_id', '<', before)
    .where('transfer.at_ms', '>=', since)
    .orderBy('transfer.request_id', 'desc')
    .limit(limit)
    .execute()
}
