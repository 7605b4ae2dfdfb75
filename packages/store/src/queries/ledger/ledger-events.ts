import { type Kysely, sql } from 'kysely'
import { asNumber } from '../../aggregates.ts'
import type { Schema } from '../../schema/schema.ts'
import { USER_STATUS } from '../../statuses.ts'

/** An event that the ledger wants reported; see `LedgerEvent` in the ledger's `rows.ts`. */
export interface WaitingEvent {
  readonly id: number
  readonly kind: 'balance_low' | 'budget_low' | 'charge_corrected'
  readonly account: number
  readonly subject: string
  /** mq. */
  readonly amount: bigint
}

/** The oldest events, at most `limit`. */
export async function findEvents(db: Kysely<Schema>, limit: number): Promise<readonly WaitingEvent[]> {
  const rows = await db.selectFrom('ledger_event').selectAll().orderBy('id').limit(limit).execute()
  return rows.map((row) => ({ ...row, id: asNumber(row.id) }))
}

/** Removes an event; false when another replica has. Call it in the transaction that acts on the event. */
export async function takeEvent(db: Kysely<Schema>, id: number): Promise<boolean> {
  const { numDeletedRows } = await db.deleteFrom('ledger_event').where('id', '=', id).executeTakeFirst()
  return numDeletedRows === 1n
}

/** Puts an event back, to be dealt with later. Call it in the transaction that took the event. */
export async function putBackEvent(db: Kysely<Schema>, event: WaitingEvent): Promise<void> {
  const { kind, account, subject, amount } = event
  await db.insertInto('ledger_event').values({ kind, account, subject, amount }).execute()
}

/** The owner of an account, with what is needed to notify them. */
export interface AccountHolder {
  readonly username: string
  readonly email: string
  /** Name of the token whose limit it is; undefined for the account of a user. */
  readonly token: string | undefined
  /** mq. */
  readonly posted: bigint
}

/** The enabled user with an address who owns an account, or the token of a limit account. */
export async function findAccountHolder(db: Kysely<Schema>, account: number): Promise<AccountHolder | undefined> {
  const row = await db
    .selectFrom('account')
    .leftJoin('token', (join) => join.on('account.kind', '=', 'token').onRef('token.id', '=', 'account.owner_id'))
    .innerJoin('user', (join) =>
      join.on('user.id', '=', sql<number>`case account.kind when 'user' then account.owner_id else token.user_id end`),
    )
    .select(['user.username', 'user.email', 'token.name as token', 'account.posted'])
    .where('account.id', '=', account)
    .where('user.status', '=', USER_STATUS.enabled)
    .where('user.email', '<>', '')
    .executeTakeFirst()
  return row === undefined ? undefined : { ...row, token: row.token ?? undefined }
}
