/**
 * Password hashes that were brought from other gateways: bcrypt in its usual text, `$2a$10$` with 22 characters of salt and 31 of
 * hash. The first sign-in replaces them.
 */
const BCRYPT = /^\$2[aby]\$(\d\d)\$[./A-Za-z0-9]{53}$/

/** Each step doubles the work: at 14 it is about a second. The family uses 10. */
const LEAST_COST = 4
const MOST_COST = 14

/** bcrypt reads no more of a password; longer ones are refused by those who hash it. */
const MAX_BYTES = 72

/** The cost of a bcrypt hash that may be checked here; undefined for any other text, and where it would take too long. */
export function importedCost(stored: string): number | undefined {
  const cost = Number(BCRYPT.exec(stored)?.[1] ?? 0)
  return cost >= LEAST_COST && cost <= MOST_COST ? cost : undefined
}

/**
 * Whether bcrypt can tell a password from all others. It repeats what it is given with NUL in between, so it takes `a` and `a\0a`
 * for the same.
 */
export function isPlainForBcrypt(password: string): boolean {
  return Buffer.byteLength(password) <= MAX_BYTES && !password.includes('\0')
}

/** A hash of this cost that no password is known for. `random`: at least 40 bytes. */
export function decoyHash(cost: number, random: Uint8Array): string {
  const text = Buffer.from(random).toString('base64url').replaceAll(/[-_]/g, '.').slice(0, 53)
  return `$2b$${String(cost).padStart(2, '0')}$${text}`
}
