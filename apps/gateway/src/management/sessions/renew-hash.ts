import type { Database } from '@sluice/store/database'
import { findPasswordHash, replacePasswordHash } from '@sluice/store/queries/accounts/users'
import { importedCost } from './imported-hash.ts'
import type { Passwords } from './passwords.ts'

/**
 * Replaces an imported hash, which a password has just been found to fit, by one of ours. Sessions go on. Returns the hash that the
 * password fits now: the given one when it is ours, when too many passwords are being hashed (the next sign-in replaces it), or when
 * the password has been changed meanwhile.
 */
export async function renewHash(
  db: Database['kysely'],
  passwords: Passwords,
  { id, passwordHash }: { readonly id: number; readonly passwordHash: string },
  password: string,
): Promise<string> {
  if (importedCost(passwordHash) === undefined) return passwordHash
  const hashed = await passwords.hash(password)
  if (hashed === 'busy') return passwordHash
  if (await replacePasswordHash(db, id, passwordHash, hashed.hash)) return hashed.hash
  // Another sign-in with the same password may have been first.
  const stored = await findPasswordHash(db, id)
  return (await passwords.verify(password, stored)) === true ? stored : passwordHash
}
