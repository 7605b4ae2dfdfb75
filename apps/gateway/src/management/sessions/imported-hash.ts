import type { Database } from '@sluice/store/database'
import { findPasswordHash, replacePasswordHash } from '@sluice/store/queries/accounts/users'
import type { Passwords } from './passwords.ts'

/** bcrypt hashes imported from other gateways: `$2a$10$` with 22 characters of salt and 31 of hash. A sign-in replaces them. */
const BCRYPT = /^\$2[aby]\$(\d\d)\$[./A-Za-z0-9]{53}$/

/** Each step doubles the work: 14 takes about a second. The family uses 10. */
const LEAST_COST = 4
const MOST_COST = 14

/** bcrypt reads no further bytes of a password; programs that hash passwords refuse longer ones. */
const MAX_BYTES = 72

/** The cost of a bcrypt hash that may be checked here; undefined for any other text, and for a cost that would take too long. */
export function importedCost(stored: string): number | undefined {
  const cost = Number(BCRYPT.exec(stored)?.[1] ?? 0)
  return cost >= LEAST_COST && cost <= MOST_COST ? cost : undefined
}

/** bcrypt repeats its input with NUL in between, so it cannot distinguish `a` from `a\0a`. */
export function isPlainForBcrypt(password: string): boolean {
  return Buffer.byteLength(password) <= MAX_BYTES && !password.includes('\0')
}

/** A hash of this cost without a known password. `random`: at least 40 bytes. */
export function decoyHash(cost: number, random: Uint8Array): string {
  const text = Buffer.from(random).toString('base64url').replaceAll(/[-_]/g, '.').slice(0, 53)
  return `$2b$${String(cost).padStart(2, '0')}$${text}`
}

/**
 * Replaces an imported hash, which a password has just matched, with one of ours. Sessions continue. Returns the hash that the
 * password fits now: the given one when it is ours, when too many passwords are being hashed (the next sign-in replaces it), or
 * when the password has been changed in the meantime.
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
