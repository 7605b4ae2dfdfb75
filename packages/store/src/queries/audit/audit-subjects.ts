import type { Kysely } from 'kysely'
import type { Schema } from '../../schema/schema.ts'
import { listOwnKeys } from '../accounts/own-keys.ts'
import { withBudgets } from '../ledger/budgets.ts'

/** A stored subject: the columns that may be shown, and those that may only be compared. */
export interface SubjectRow {
  readonly plain: object
  readonly secret: object
}

type ReadSubject = (db: Kysely<Schema>, id: number) => Promise<SubjectRow | undefined>

async function readUser(db: Kysely<Schema>, id: number): Promise<SubjectRow | undefined> {
  const row = await db
    .selectFrom('user')
    .leftJoin('account', (join) => join.onRef('account.owner_id', '=', 'user.id').on('account.kind', '=', 'user'))
    .select(['username', 'display_name', 'role', 'status', 'email', 'group_name', 'posted as balance_mq'])
    .select(['account.id as account', 'account.budgeted'])
    .select(['password_hash as password', 'totp_sealed as totp', 'access_token_hash as access_token'])
    .where('user.id', '=', id)
    .executeTakeFirst()
  const [user] = await withBudgets(db, row === undefined ? [] : [row])
  if (user === undefined) return undefined
  const { password, totp, access_token, account: _account, budgeted: _budgeted, budgets, ...plain } = user
  const own = (await listOwnKeys(db, id)).map(
    ({ vendor, label, fingerprint, fallsBack }) =>
      `${vendor} ${fingerprint}${fallsBack ? ' (falls back)' : ''} ${label}`,
  )
  // Without their spending, which changes on its own.
  const limits = budgets.map(({ period, amount }) => `${period} ${amount}`).sort()
  return {
    plain: { ...plain, budgets_mq: limits.join(', '), ...(own.length > 0 && { own_keys: own.join(', ') }) },
    secret: { password, totp, access_token },
  }
}

async function readChannel(db: Kysely<Schema>, id: number): Promise<SubjectRow | undefined> {
  const row = await db.selectFrom('channel').selectAll().where('id', '=', id).executeTakeFirst()
  if (row === undefined) return undefined
  // Imported rows may hold credentials in `config`.
  const { key_sealed: key, config, id: _id, ...rest } = row
  const off = await db
    .selectFrom('channel_key')
    .select(['fingerprint', 'status'])
    .where('channel_id', '=', id)
    .orderBy('fingerprint')
    .execute()
  const switchedOff = off.map(({ fingerprint, status }) => `${fingerprint} (${status})`).join(', ')
  return { plain: { ...withoutMeasures(rest), keys_off: switchedOff }, secret: { key, config } }
}

/** Columns that tests and balance checks write; these are not changes to the channel. */
const MEASURED: readonly string[] = [
  'response_time',
  'test_time',
  'recent_tests',
  'balance_micros',
  'balance_currency',
  'balance_time',
  'disabled_reason',
  'disabled_ms',
  'disabled_times',
]

function withoutMeasures(row: object): object {
  return Object.fromEntries(Object.entries(row).filter(([name]) => !MEASURED.includes(name)))
}

async function readToken(db: Kysely<Schema>, id: number): Promise<SubjectRow | undefined> {
  const row = await db.selectFrom('token').selectAll().where('id', '=', id).executeTakeFirst()
  if (row === undefined) return undefined
  const { key_sealed: _sealed, key_hash: key, id: _id, ...plain } = row
  return { plain, secret: { key } }
}

async function readRedemption(db: Kysely<Schema>, id: number): Promise<SubjectRow | undefined> {
  const row = await db.selectFrom('redemption').selectAll().where('id', '=', id).executeTakeFirst()
  if (row === undefined) return undefined
  const { key_sealed: _sealed, key_hash: key, id: _id, ...plain } = row
  return { plain, secret: { key } }
}

async function readAlarm(db: Kysely<Schema>, id: number): Promise<SubjectRow | undefined> {
  const plain = await db
    .selectFrom('alarm')
    .select(['kind', 'subject', 'channel_id', 'dismissed_ms'])
    .where('id', '=', id)
    .executeTakeFirst()
  return plain && { plain, secret: {} }
}

/** Readers of a subject's state, before and after a change. */
export const AUDIT_SUBJECTS: Readonly<Record<string, ReadSubject>> = {
  user: readUser,
  channel: readChannel,
  token: readToken,
  redemption: readRedemption,
  alarm: readAlarm,
}

/** A stored option, sealed if it is secret; undefined when it was never set. */
export async function readStoredOption(db: Kysely<Schema>, key: string): Promise<string | undefined> {
  const row = await db.selectFrom('option').select('value').where('key', '=', key).executeTakeFirst()
  return row?.value
}
