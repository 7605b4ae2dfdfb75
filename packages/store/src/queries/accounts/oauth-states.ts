import type { Kysely } from 'kysely'
import { LONGEST_PROOF_MS } from '../../clocks.ts'
import type { Schema } from '../../schema/schema.ts'

/** Most unfinished sign-ins; each ends after minutes. At this number no one can begin a new one. */
const OAUTH_STATE_CAPACITY = 100_000

export interface OAuthStateRow {
  /** Empty: valid for every provider that uses no nonce or verifier, so not for `oidc`. */
  readonly provider: string
  /** The user who binds, or whose second step is awaited; 0 for a sign-in. */
  readonly userId: number
  readonly affCode: string
  /** Unix milliseconds. */
  readonly expires: number
}

/** Stores a state and removes what has expired at `now`. */
export async function insertOAuthState(
  db: Kysely<Schema>,
  hashes: { readonly state: string; readonly browser: string },
  row: OAuthStateRow,
  now: number,
): Promise<'stored' | 'full'> {
  await db
    .deleteFrom('oauth_state')
    .where((eb) => eb.or([eb('expires_ms', '<=', now), eb('expires_ms', '>', now + LONGEST_PROOF_MS)]))
    .execute()
  const beyond = await db
    .selectFrom('oauth_state')
    .select('state_hash')
    .offset(OAUTH_STATE_CAPACITY - 1)
    .limit(1)
    .executeTakeFirst()
  if (beyond !== undefined) return 'full'
  await db
    .insertInto('oauth_state')
    .values({
      state_hash: hashes.state,
      browser_hash: hashes.browser,
      provider: row.provider,
      user_id: row.userId,
      aff_code: row.affCode,
      expires_ms: row.expires,
    })
    .execute()
  return 'stored'
}

/** Uses a state up: of two calls with the same state, only one gets it. A state presented by another browser is not used up. */
export async function takeOAuthState(
  db: Kysely<Schema>,
  hashes: { readonly state: string; readonly browser: string },
  now: number,
): Promise<OAuthStateRow | undefined> {
  return await db
    .deleteFrom('oauth_state')
    .where('state_hash', '=', hashes.state)
    .where('browser_hash', '=', hashes.browser)
    .where('expires_ms', '>', now)
    .where('expires_ms', '<=', now + LONGEST_PROOF_MS)
    .returning(['provider', 'user_id as userId', 'aff_code as affCode', 'expires_ms as expires'])
    .executeTakeFirst()
}
