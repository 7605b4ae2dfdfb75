import type { Kysely, Transaction } from 'kysely'
import { LONGEST_PROOF_MS } from '../../clocks.ts'
import { sameEmail } from '../../same-email.ts'
import type { Schema } from '../../schema/schema.ts'
import { USER_STATUS } from '../../statuses.ts'

/** A verified code, ready to be used up. */
export interface EmailProof {
  /** Digest of the code's purpose, its requester and the address that it was mailed to. */
  readonly holder: string
  readonly codeSealed: string
}

/** Stores a code, replacing an earlier one of its holder, and removes expired codes. Times in unix seconds. */
export async function putEmailCode(
  db: Kysely<Schema>,
  code: EmailProof & { readonly attempts: number; readonly now: number; readonly expires: number },
): Promise<void> {
  const values = { code_sealed: code.codeSealed, attempts_left: code.attempts, expires_time: code.expires }
  await db.deleteFrom('email_code').where('expires_time', '<=', code.now).execute()
  await db
    .insertInto('email_code')
    .values({ email: code.holder, ...values })
    .onConflict((conflict) => conflict.column('email').doUpdateSet(values))
    .execute()
}

/**
 * Takes one attempt at a holder's code and returns the sealed code to compare with; undefined when there is none, it has expired,
 * or its attempts are used up. Parallel attempts count separately.
 */
export async function takeEmailCodeAttempt(
  db: Kysely<Schema>,
  holder: string,
  now: number,
): Promise<EmailProof | undefined> {
  const row = await db
    .updateTable('email_code')
    .set((eb) => ({ attempts_left: eb('attempts_left', '-', 1) }))
    .where('email', '=', holder)
    .where('expires_time', '>', now)
    .where('expires_time', '<=', now + LONGEST_PROOF_MS / 1_000)
    .where('attempts_left', '>', 0)
    .returning('code_sealed')
    .executeTakeFirst()
  return row === undefined ? undefined : { holder, codeSealed: row.code_sealed }
}

/** Uses a code up; false when another call did so first. */
export async function consumeEmailCode(db: Kysely<Schema> | Transaction<Schema>, proof: EmailProof): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('email_code')
    .where('email', '=', proof.holder)
    .where('code_sealed', '=', proof.codeSealed)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** True when a user that is not deleted has this address, ignoring case. */
export async function isEmailTaken(db: Kysely<Schema>, email: string, except: number): Promise<boolean> {
  const row = await db
    .selectFrom('user')
    .select('id')
    .where(sameEmail(email))
    .where('status', '<>', USER_STATUS.deleted)
    .where('id', '<>', except)
    .executeTakeFirst()
  return row !== undefined
}
