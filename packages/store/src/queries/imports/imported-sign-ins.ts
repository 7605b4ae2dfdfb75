import type { Insertable, Transaction } from 'kysely'
import type { Schema } from '../../schema/schema.ts'
import { partsOf } from '../../statement-sizes.ts'

/** Binds accounts at providers; an account that already signs in as a user stays with that user. */
export async function insertIdentities(
  trx: Transaction<Schema>,
  rows: readonly Insertable<Schema['identity']>[],
): Promise<void> {
  for (const part of partsOf(rows)) {
    await trx
      .insertInto('identity')
      .values(part)
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  }
}

/** Stores passkeys; one that is already registered stays with its owner. */
export async function insertPasskeys(
  trx: Transaction<Schema>,
  rows: readonly Insertable<Schema['passkey']>[],
): Promise<void> {
  for (const part of partsOf(rows)) {
    await trx
      .insertInto('passkey')
      .values(part)
      .onConflict((conflict) => conflict.column('credential_id').doNothing())
      .execute()
  }
}

export async function removeIdentity(trx: Transaction<Schema>, userId: number, provider: string): Promise<void> {
  await trx.deleteFrom('identity').where('user_id', '=', userId).where('provider', '=', provider).execute()
}

export async function removePasskeys(
  trx: Transaction<Schema>,
  userId: number,
  isMeant: (credentialId: string) => boolean,
): Promise<void> {
  const rows = await trx.selectFrom('passkey').select(['id', 'credential_id']).where('user_id', '=', userId).execute()
  for (const row of rows) {
    if (isMeant(row.credential_id)) await trx.deleteFrom('passkey').where('id', '=', row.id).execute()
  }
}
