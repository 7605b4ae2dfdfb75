import type { Kysely } from 'kysely'
import { LONGEST_PROOF_MS } from '../../clocks.ts'
import type { Schema } from '../../schema/schema.ts'

/** What a ceremony is for. An owner has at most one open per action: beginning another replaces it. */
export type CeremonyAction = 'totp_setup' | 'passkey_register' | 'passkey_login'

/** Most open ceremonies; each ends after minutes. At this number no one can begin a new one (class S28). */
const CAPACITY = 100_000

/** Opens a ceremony and removes expired ones. Times in unix seconds. */
export async function beginCeremony(
  db: Kysely<Schema>,
  ceremony: {
    readonly owner: string
    readonly action: CeremonyAction
    readonly content: string
    readonly now: number
    readonly expires: number
  },
  capacity = CAPACITY,
): Promise<'begun' | 'full'> {
  const values = { content: ceremony.content, expires_time: ceremony.expires }
  const { now } = ceremony
  await db
    .deleteFrom('ceremony')
    .where((eb) => eb.or([eb('expires_time', '<=', now), eb('expires_time', '>', now + LONGEST_PROOF_MS / 1_000)]))
    .execute()
  const last = await db
    .selectFrom('ceremony')
    .select('owner')
    .offset(capacity - 1)
    .limit(1)
    .executeTakeFirst()
  if (last !== undefined) return 'full'
  await db
    .insertInto('ceremony')
    .values({ owner: ceremony.owner, action: ceremony.action, ...values })
    .onConflict((conflict) => conflict.columns(['owner', 'action']).doUpdateSet(values))
    .execute()
  return 'begun'
}

/** The content of an open ceremony, which stays open: for codes that a person may mistype. */
export async function readCeremony(
  db: Kysely<Schema>,
  owner: string,
  action: CeremonyAction,
  now: number,
): Promise<string | undefined> {
  const row = await db
    .selectFrom('ceremony')
    .select('content')
    .where('owner', '=', owner)
    .where('action', '=', action)
    .where('expires_time', '>', now)
    .where('expires_time', '<=', now + LONGEST_PROOF_MS / 1_000)
    .executeTakeFirst()
  return row?.content
}

/** Ends a ceremony and returns its content, once (class S13). */
export async function finishCeremony(
  db: Kysely<Schema>,
  owner: string,
  action: CeremonyAction,
  now: number,
): Promise<string | undefined> {
  const row = await db
    .deleteFrom('ceremony')
    .where('owner', '=', owner)
    .where('action', '=', action)
    .where('expires_time', '>', now)
    .where('expires_time', '<=', now + LONGEST_PROOF_MS / 1_000)
    .returning('content')
    .executeTakeFirst()
  return row?.content
}
