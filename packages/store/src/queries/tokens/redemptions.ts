import type { Kysely } from 'kysely'
import { type Page, readPage, type Sorting, sortValue, startsWith } from '../../paging.ts'
import type { Schema } from '../../schema/schema.ts'
import { REDEMPTION_STATUS } from '../../statuses.ts'

/** A redemption code with the user who used it. The amount is mq. */
export interface RedemptionRow {
  readonly id: number
  readonly name: string
  /** Sealed for the purpose `redemption`. */
  readonly keySealed: string
  /** 1 unused, 2 disabled, 3 used. */
  readonly status: number
  readonly amount: bigint
  readonly createdBy: number
  /** Unix seconds. */
  readonly createdTime: number
  /** Unix seconds; 0 never. */
  readonly expiredTime: number
  /** User id; 0 while unused. */
  readonly redeemedBy: number
  /** Null while unused. */
  readonly redeemedByName: string | null
  /** Unix milliseconds; 0 while unused. */
  readonly redeemedMs: number
}

export const REDEMPTION_SORT_COLUMNS = {
  id: 'redemption.id',
  name: 'redemption.name',
  status: 'redemption.status',
  quota: 'redemption.amount',
  created_time: 'redemption.created_time',
  expired_time: 'redemption.expired_time',
  redeemed_time: 'redemption.redeemed_ms',
} as const
export type RedemptionSortColumn = (typeof REDEMPTION_SORT_COLUMNS)[keyof typeof REDEMPTION_SORT_COLUMNS]

/** One page of the codes whose name begins with `keyword`, or whose id it is; empty finds all. */
export async function listRedemptions(
  db: Kysely<Schema>,
  keyword: string,
  sorting: Sorting<RedemptionSortColumn>,
  page: Page,
): Promise<{ readonly rows: readonly RedemptionRow[]; readonly total: number }> {
  const found = matching(db, keyword)
  const rows = withRedeemer(found)
    .orderBy(sortValue(sorting.column), sorting.direction)
    .orderBy('redemption.id', 'desc')
  return await readPage(rows, found, page)
}

export async function findRedemption(db: Kysely<Schema>, id: number): Promise<RedemptionRow | undefined> {
  return await withRedeemer(existing(db).where('redemption.id', '=', id)).executeTakeFirst()
}

/** The parts of a code that decide who may redeem it. */
export interface FoundRedemption {
  readonly id: number
  readonly name: string
  readonly status: number
  readonly createdBy: number
  /** Current role of the user who made it. */
  readonly createdByRole: number | null
  /** The last administrator below root who changed it; 0 if none did. */
  readonly alteredBy: number
  /** Unix seconds; 0 never. */
  readonly expiredTime: number
}

/** The code with this SHA-256 (hex), whatever its status; deleted ones are not found. */
export async function findRedemptionByKeyHash(
  db: Kysely<Schema>,
  keyHash: string,
): Promise<FoundRedemption | undefined> {
  return await existing(db)
    .leftJoin('user', 'user.id', 'redemption.created_by')
    .select([
      'redemption.id',
      'redemption.name',
      'redemption.status',
      'redemption.created_by as createdBy',
      'user.role as createdByRole',
      'redemption.altered_by as alteredBy',
      'redemption.expired_time as expiredTime',
    ])
    .where('redemption.key_hash', '=', keyHash)
    .executeTakeFirst()
}

export interface NewRedemption {
  readonly name: string
  readonly keyHash: string
  readonly keySealed: string
  readonly amount: bigint
  readonly createdBy: number
  readonly createdTime: number
  /** 0 never. */
  readonly expiredTime: number
}

/** All or none. */
export async function insertRedemptions(db: Kysely<Schema>, codes: readonly NewRedemption[]): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await trx
      .insertInto('redemption')
      .values(
        codes.map((code) => ({
          name: code.name,
          key_hash: code.keyHash,
          key_sealed: code.keySealed,
          status: REDEMPTION_STATUS.unused,
          amount: code.amount,
          created_by: code.createdBy,
          created_time: code.createdTime,
          expired_time: code.expiredTime,
          redeemed_by: 0,
          redeemed_ms: 0,
          deleted_time: 0,
        })),
      )
      .execute()
  })
}

/** Changes an unused code; false when there is none. `alteredBy`: the administrator who changes it, unless that is root. */
export async function updateRedemption(
  db: Kysely<Schema>,
  id: number,
  change: {
    readonly name?: string
    readonly amount?: bigint
    readonly status?: 1 | 2
    readonly expiredTime?: number | undefined
  },
  alteredBy: number | undefined,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('redemption')
    .set({
      name: change.name,
      amount: change.amount,
      status: change.status,
      expired_time: change.expiredTime,
      altered_by: alteredBy,
    })
    .where('id', '=', id)
    .where('status', '<>', REDEMPTION_STATUS.used)
    .where('deleted_time', '=', 0)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/**
 * Removes a code from every list and from use. The row stays, because a used code's row proves its payment. `now` in unix seconds.
 */
export async function deleteRedemption(db: Kysely<Schema>, id: number, now: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('redemption')
    .set((eb) => ({
      deleted_time: now,
      status: eb
        .case()
        .when('status', '=', REDEMPTION_STATUS.used)
        .then(REDEMPTION_STATUS.used)
        .else(REDEMPTION_STATUS.disabled)
        .end(),
    }))
    .where('id', '=', id)
    .where('deleted_time', '=', 0)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

function existing(db: Kysely<Schema>) {
  return db.selectFrom('redemption').where('redemption.deleted_time', '=', 0)
}

function matching(db: Kysely<Schema>, keyword: string) {
  const codes = existing(db)
  if (keyword === '') return codes
  const id = /^\d{1,9}$/.test(keyword) ? Number(keyword) : 0
  return codes.where((eb) => eb.or([eb('redemption.id', '=', id), startsWith('redemption.name', keyword)]))
}

function withRedeemer(codes: ReturnType<typeof existing>) {
  return codes
    .leftJoin('user', 'user.id', 'redemption.redeemed_by')
    .select([
      'redemption.id',
      'redemption.name',
      'redemption.key_sealed as keySealed',
      'redemption.status',
      'redemption.amount',
      'redemption.created_by as createdBy',
      'redemption.created_time as createdTime',
      'redemption.expired_time as expiredTime',
      'redemption.redeemed_by as redeemedBy',
      'user.username as redeemedByName',
      'redemption.redeemed_ms as redeemedMs',
    ])
}
