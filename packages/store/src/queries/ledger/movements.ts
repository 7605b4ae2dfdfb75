import type { Kysely, Selectable } from 'kysely'
import type { PriceTable, TransferTable } from '../../schema/ledger.ts'
import type { Schema } from '../../schema/schema.ts'

/** A row of `transfer` that moved money for a relayed request. */
export interface StoredMovement extends Omit<
  Selectable<TransferTable>,
  'request_id' | 'refers_to' | 'debit' | 'credit' | 'limit_account' | 'other_prompt_tokens' | 'other_output_tokens'
> {
  /** The request that was charged; a refund also has an id of its own. */
  readonly requestId: string
  /** The user who pays; undefined for a refund, which names its charge instead. */
  readonly userId: number | undefined
  /** Name of the user who did it; empty for the system and for users that no longer exist. */
  readonly actorName: string
}

/** A price as it was charged, without the text by which it is found. */
export type StoredPrice = Omit<Selectable<PriceTable>, 'content'>

/** Charges, then their corrections, then refunds by administrators: the order in which a request goes through them. */
const RANK: Readonly<Record<string, number>> = { consume: 0, adjust: 1, refund: 1, 'admin-refund': 2 }

/** The movements of some requests (a page of them) in the order they happened. Requests without a charge are not in the map. */
export async function findMovements(
  db: Kysely<Schema>,
  requestIds: readonly string[],
): Promise<ReadonlyMap<string, readonly StoredMovement[]>> {
  const found = new Map<string, StoredMovement[]>()
  if (requestIds.length === 0) return found
  const rows = [
    ...(await transfers(db).where('request_id', 'in', requestIds).execute()),
    ...(await transfers(db).where('refers_to', 'in', requestIds).execute()),
  ].filter(({ kind }) => Object.hasOwn(RANK, kind))
  for (const { request_id, refers_to, payer, payerKind, actorName, ...row } of rows) {
    const requestId = refers_to ?? request_id
    const userId = payerKind === 'user' ? (payer ?? undefined) : undefined
    const movement = { ...row, requestId, userId, actorName: actorName ?? '' }
    const others = found.get(requestId)
    if (others === undefined) found.set(requestId, [movement])
    else others.push(movement)
  }
  for (const movements of found.values()) {
    movements.sort((a, b) => (RANK[a.kind] ?? 0) - (RANK[b.kind] ?? 0) || a.at_ms - b.at_ms)
  }
  return found
}

/** Prices by row id; ids without a row are left out. */
export async function findPrices(
  db: Kysely<Schema>,
  ids: readonly number[],
): Promise<ReadonlyMap<number, StoredPrice>> {
  const rows =
    ids.length === 0
      ? []
      : await prices(db)
          .where('id', 'in', [...new Set(ids)])
          .execute()
  return new Map(rows.map((row) => [row.id, row]))
}

/** Prices with a row id above `after`, oldest first. */
export async function listPrices(db: Kysely<Schema>, after: number, limit: number): Promise<readonly StoredPrice[]> {
  return await prices(db).where('id', '>', after).orderBy('id').limit(limit).execute()
}

function prices(db: Kysely<Schema>) {
  const rates = ['input', 'cached_input', 'cache_write_5m', 'cache_write_1h', 'output', 'units'] as const
  return db.selectFrom('price').select(['id', ...rates, 'group_ratio', 'source'])
}

function transfers(db: Kysely<Schema>) {
  return db
    .selectFrom('transfer')
    .leftJoin('account', 'account.id', 'transfer.debit')
    .leftJoin('user', 'user.id', 'transfer.actor')
    .select([
      'request_id',
      'refers_to',
      'transfer.kind',
      'amount',
      'price_id',
      'input_tokens',
      'cached_tokens',
      'cache_write_5m_tokens',
      'cache_write_1h_tokens',
      'output_tokens',
      'units',
      'channel_id',
      'model',
      'actor',
      'reason',
      'at_ms',
      'account.kind as payerKind',
      'account.owner_id as payer',
      'user.username as actorName',
    ])
}
