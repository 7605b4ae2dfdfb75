import { createHash } from 'node:crypto'
import type { Refusal } from '@sluice/contract/errors'
import { USER_STATUS } from '@sluice/contract/user'
import type { Database } from '@sluice/store/database'
import { findTokenHolder } from '@sluice/store/queries/accounts/access-tokens'
import type { Caller } from './caller.ts'

const TOKEN_BYTES = 16
/** Longer headers are not our tokens and not worth hashing. */
const HEADER_MAX = 200

/** The family's form: 32 hex characters, 128 random bits. */
export function newAccessToken(randomBytes: (size: number) => Uint8Array): string {
  return Buffer.from(randomBytes(TOKEN_BYTES)).toString('hex')
}

/** The database finds tokens by this hash. A token is random, so no salt is needed. */
export function accessTokenHash(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}

/** With or without `Bearer`. Unknown tokens, replaced ones and those of deleted users get the same answer (class S31). */
export async function identifyByToken(database: Database, authorization: string): Promise<Caller | Refusal> {
  const token = authorization.replace(/^Bearer +/i, '').trim()
  if (token === '' || authorization.length > HEADER_MAX) return { code: 'access_token_invalid' }
  const proof = accessTokenHash(token)
  const holder = await findTokenHolder(database.kysely, proof)
  if (holder === undefined) return { code: 'access_token_invalid' }
  if (holder.status !== USER_STATUS.enabled) return { code: 'user_banned' }
  const { userId, username, role, group } = holder
  return { id: userId, username, role, group, via: 'access_token', signedIn: undefined, proof }
}
