import { SETTING_COLUMNS } from '@sluice/contract/fields/token'
import type { Kysely } from 'kysely'
import type { Engine } from '../../column-types.ts'
import type { Schema } from '../../schema/schema.ts'
import { lookUp } from '../../statement-sizes.ts'
import { USER_STATUS } from '../../statuses.ts'

type Db = Kysely<Schema>

/**
 * Imported rows in their current local state; deleted ones are missing. A PostgreSQL transaction locks them, so that they stay as
 * read until it ends; in SQLite every transaction ensures this.
 */
export async function readUsersHere(db: Db, engine: Engine, ids: readonly number[]) {
  return await lookUp(ids, (part) =>
    db
      .selectFrom('user')
      .select(['id', 'username', 'password_hash', 'display_name', 'role', 'status', 'email', 'group_name', 'aff_code'])
      .select(['access_token_hash', 'totp_sealed'])
      .where('id', 'in', part)
      .where('status', '<>', USER_STATUS.deleted)
      .orderBy('id')
      .$if(isLocked(db, engine), (query) => query.forUpdate())
      .execute(),
  )
}

export async function readIdentitiesHere(db: Db, users: readonly number[]) {
  return await lookUp(users, (part) =>
    db
      .selectFrom('identity')
      .select(['user_id', 'provider', 'issuer', 'subject'])
      .where('user_id', 'in', part)
      .execute(),
  )
}

export async function readPasskeysHere(db: Db, users: readonly number[]) {
  return await lookUp(users, (part) =>
    db.selectFrom('passkey').select(['user_id', 'credential_id']).where('user_id', 'in', part).execute(),
  )
}

export async function readTokensHere(db: Db, engine: Engine, ids: readonly number[]) {
  return await lookUp(ids, (part) =>
    db
      .selectFrom('token')
      .select(['id', 'user_id', 'status', ...SETTING_COLUMNS])
      .where('id', 'in', part)
      .orderBy('id')
      .$if(isLocked(db, engine), (query) => query.forUpdate())
      .execute(),
  )
}

export async function readChannelsHere(db: Db, engine: Engine, ids: readonly number[]) {
  return await lookUp(ids, (part) =>
    db
      .selectFrom('channel')
      .selectAll()
      .where('id', 'in', part)
      .orderBy('id')
      .$if(isLocked(db, engine), (query) => query.forUpdate())
      .execute(),
  )
}

export async function readKeyStatesHere(db: Db, channels: readonly number[]) {
  return await lookUp(channels, (part) =>
    db
      .selectFrom('channel_key')
      .select(['channel_id', 'fingerprint', 'status'])
      .where('channel_id', 'in', part)
      .execute(),
  )
}

export async function readCodesHere(db: Db, engine: Engine, ids: readonly number[]) {
  return await lookUp(ids, (part) =>
    db
      .selectFrom('redemption')
      .select(['id', 'name', 'status', 'amount', 'created_by', 'expired_time', 'used_before'])
      .where('id', 'in', part)
      .orderBy('id')
      .$if(isLocked(db, engine), (query) => query.forUpdate())
      .execute(),
  )
}

function isLocked(db: Db, engine: Engine): boolean {
  return engine === 'postgres' && db.isTransaction
}
