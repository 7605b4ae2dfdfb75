import type { ExpressionBuilder, Kysely } from 'kysely'
import { CLOCKS_DIFFER_MS } from '../clocks.ts'
import { countRows, readPage } from '../paging.ts'
import type { Schema } from '../schema/schema.ts'

/** Most waiting mails. Beyond that, new mail is refused, so that a loop somewhere cannot fill the disk. */
export const OUTBOX_CAPACITY = 10_000

export interface NewMessage {
  readonly kind: string
  readonly recipient: string
  /** Sealed for the purpose `message`. */
  readonly contentSealed: string
  /** Unix milliseconds. */
  readonly now: number
  /** Unix milliseconds after which the mail is no longer worth sending. */
  readonly expires: number
}

/** Uses the caller's transaction, if any, so that the mail is sent only if the change is committed. */
export async function insertMessage(db: Kysely<Schema>, message: NewMessage): Promise<'queued' | 'full'> {
  const waiting = db.selectFrom('outbox').select('id').where('state', '=', 'waiting').limit(OUTBOX_CAPACITY)
  if ((await countRows(db.selectFrom(waiting.as('waiting')))) >= OUTBOX_CAPACITY) return 'full'
  await db
    .insertInto('outbox')
    .values({
      kind: message.kind,
      recipient: message.recipient,
      content_sealed: message.contentSealed,
      state: 'waiting',
      attempts: 0,
      due_ms: message.now,
      expires_ms: message.expires,
      lease: '',
      problem: '',
      created_ms: message.now,
      done_ms: 0,
    })
    .execute()
  return 'queued'
}

/** Longer than any wait between two attempts. */
const LONGEST_WAIT_MS = 2 * CLOCKS_DIFFER_MS

/** A message that only this sender may send until its lease ends. */
export interface ClaimedMessage {
  readonly id: number
  readonly kind: string
  readonly recipient: string
  readonly contentSealed: string
  /** Including this one. */
  readonly attempts: number
  /** Unix milliseconds. */
  readonly created: number
  readonly expires: number
}

/**
 * Takes up to `limit` messages that are due. Two senders never get the same one: the condition is in the update itself, and
 * PostgreSQL checks it again after waiting for another's lock. A lease that ends without a result makes the message due again, so a
 * crashed sender loses nothing.
 */
export async function claimMessages(
  db: Kysely<Schema>,
  claim: { readonly lease: string; readonly now: number; readonly until: number; readonly limit: number },
): Promise<readonly ClaimedMessage[]> {
  const isDue = (eb: ExpressionBuilder<Schema, 'outbox'>) =>
    eb.or([eb('due_ms', '<=', claim.now), eb('due_ms', '>', claim.now + LONGEST_WAIT_MS)])
  const due = db
    .selectFrom('outbox')
    .select('id')
    .where('state', '=', 'waiting')
    .where(isDue)
    .orderBy('due_ms')
    .limit(claim.limit)
  return await db
    .updateTable('outbox')
    .set((eb) => ({ lease: claim.lease, due_ms: claim.until, attempts: eb('attempts', '+', 1) }))
    .where('id', 'in', due)
    .where('state', '=', 'waiting')
    .where(isDue)
    .returning(['id', 'kind', 'recipient', 'content_sealed as contentSealed', 'attempts'])
    .returning(['created_ms as created', 'expires_ms as expires'])
    .execute()
}

/** How an attempt ended: delivered, to be tried again at `due`, or abandoned. */
export type AttemptEnd =
  | { readonly state: 'sent' }
  | { readonly state: 'dead'; readonly problem: string }
  | { readonly state: 'waiting'; readonly problem: string; readonly due: number }

/** False when the lease is no longer the caller's: another sender has taken the message over. */
export async function finishAttempt(
  db: Kysely<Schema>,
  id: number,
  lease: string,
  end: AttemptEnd,
  now: number,
): Promise<boolean> {
  const done = end.state === 'waiting' ? {} : { done_ms: now, content_sealed: '' }
  const { numUpdatedRows } = await db
    .updateTable('outbox')
    .set({
      state: end.state,
      lease: '',
      problem: end.state === 'sent' ? '' : end.problem,
      ...(end.state === 'waiting' ? { due_ms: end.due } : {}),
      ...done,
    })
    .where('id', '=', id)
    .where('lease', '=', lease)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Removes up to `limit` rows that were done before a moment; returns how many. */
export async function sweepMessages(
  db: Kysely<Schema>,
  state: 'sent' | 'dead',
  before: number,
  limit: number,
): Promise<number> {
  const old = db.selectFrom('outbox').select('id').where('state', '=', state).where('done_ms', '<', before).limit(limit)
  const { numDeletedRows } = await db.deleteFrom('outbox').where('id', 'in', old).executeTakeFirst()
  return Number(numDeletedRows)
}

/** A message as an administrator sees it: never its content. */
export interface MessageRow {
  readonly id: number
  readonly kind: string
  readonly recipient: string
  readonly state: string
  readonly attempts: number
  readonly problem: string
  readonly created: number
  readonly done: number
  readonly due: number
}

/** Messages in one state, newest first. */
export async function listMessages(
  db: Kysely<Schema>,
  state: 'waiting' | 'sent' | 'dead',
  page: { readonly limit: number; readonly offset: number },
): Promise<{ readonly rows: readonly MessageRow[]; readonly total: number }> {
  const found = db.selectFrom('outbox').where('state', '=', state)
  const rows = found
    .select(['id', 'kind', 'recipient', 'state', 'attempts', 'problem'])
    .select(['created_ms as created', 'done_ms as done', 'due_ms as due'])
    .orderBy('id', 'desc')
  return await readPage(rows, found, page)
}
