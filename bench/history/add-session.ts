import { createHash, randomBytes } from 'node:crypto'
import type { Database } from '@sluice/store/database'
import { insertSession } from '@sluice/store/queries/accounts/sessions'

const LASTS_SECONDS = 86_400

/** Signs in a user without a password, because users of a generated database have none. Returns the cookie. */
export async function addSession({ kysely }: Database, userId: number): Promise<string> {
  const id = randomBytes(32).toString('base64url')
  const now = Math.floor(Date.now() / 1_000)
  const idHash = createHash('sha256').update(id).digest('hex')
  await insertSession(kysely, { idHash, userId, now, expires: now + LASTS_SECONDS, replaces: undefined })
  return `session=${id}`
}
