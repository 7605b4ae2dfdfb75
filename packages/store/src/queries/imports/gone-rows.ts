import type { Transaction } from 'kysely'
import type { Schema } from '../../schema/schema.ts'
import { lookUpParts } from '../../statement-sizes.ts'
import { CHANNEL_STATUS, REDEMPTION_STATUS, ROLE, TOKEN_STATUS, USER_STATUS } from '../../statuses.ts'

/** Disables users that are gone from the source; roots stay. */
export async function disableUsers(trx: Transaction<Schema>, ids: readonly number[]): Promise<void> {
  for (const part of lookUpParts(ids)) {
    await trx
      .updateTable('user')
      .set({ status: USER_STATUS.disabled })
      .where('id', 'in', part)
      .where('status', '=', USER_STATUS.enabled)
      .where('role', '<', ROLE.root)
      .execute()
    await trx.deleteFrom('session').where('user_id', 'in', part).execute()
  }
}

/** Disables tokens that are gone from the source: a key that was revoked there must not continue to work here. */
export async function disableTokens(trx: Transaction<Schema>, ids: readonly number[]): Promise<void> {
  for (const part of lookUpParts(ids)) {
    await trx.updateTable('token').set({ status: TOKEN_STATUS.disabled }).where('id', 'in', part).execute()
  }
}

export async function disableChannels(trx: Transaction<Schema>, ids: readonly number[]): Promise<void> {
  for (const part of lookUpParts(ids)) {
    await trx.updateTable('channel').set({ status: CHANNEL_STATUS.disabled }).where('id', 'in', part).execute()
  }
}

/** Disables codes: one that was withdrawn at the source must not pay here. */
export async function disableCodes(trx: Transaction<Schema>, ids: readonly number[]): Promise<void> {
  for (const part of lookUpParts(ids)) {
    await trx
      .updateTable('redemption')
      .set({ status: REDEMPTION_STATUS.disabled })
      .where('id', 'in', part)
      .where('status', '=', REDEMPTION_STATUS.unused)
      .execute()
  }
}
