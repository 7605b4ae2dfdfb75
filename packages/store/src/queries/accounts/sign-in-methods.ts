import type { Transaction } from 'kysely'
import type { Schema } from '../../schema/schema.ts'

/** Accepted ways to sign in besides passkeys. */
export interface SignInMethods {
  readonly passwords: boolean
  readonly providers: readonly string[]
}

/**
 * Whether a user could still sign in without this provider or passkey. Locks the user's row until the transaction ends: if two
 * removals each rely on the other method, one of them waits.
 */
export async function hasOtherSignInMethod(
  trx: Transaction<Schema>,
  userId: number,
  accepted: SignInMethods,
  lost: { readonly provider: string } | { readonly passkey: number },
): Promise<boolean> {
  // An update that changes nothing.
  const user = await trx
    .updateTable('user')
    .set((eb) => ({ id: eb.ref('id') }))
    .where('id', '=', userId)
    .returning('password_hash')
    .executeTakeFirst()
  if (accepted.passwords && (user?.password_hash ?? '') !== '') return true
  const passkeys = await trx.selectFrom('passkey').select('id').where('user_id', '=', userId).execute()
  if (passkeys.some(({ id }) => !('passkey' in lost) || id !== lost.passkey)) return true
  const bound = await trx.selectFrom('identity').select('provider').where('user_id', '=', userId).execute()
  return bound.some(
    ({ provider }) => accepted.providers.includes(provider) && (!('provider' in lost) || provider !== lost.provider),
  )
}
