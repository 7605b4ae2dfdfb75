import { type Kysely, sql } from 'kysely'
import type { Schema } from '../schema/schema.ts'

export type PauseRule = 'session' | 'loop'

/** A subject that a token guards: a session and its cost, or a repeated body. */
export interface PauseKey {
  readonly tokenId: number
  readonly rule: PauseRule
  /** Digest of the session or of the body, or `day <date>`. */
  readonly subject: string
}

export interface PauseRow extends PauseKey {
  /** mq. */
  readonly spent: bigint
  /** The owner's allowance beyond the token's amount, in mq. */
  readonly allowance: bigint
  /** Unix milliseconds; 0: not paused. */
  readonly pausedMs: number
  /** Unix milliseconds; 0: it does not end automatically. */
  readonly untilMs: number
}

export interface PauseChange extends PauseKey {
  readonly spent: bigint
  /** Undefined: unchanged. 0: no longer paused. */
  readonly pausedMs: number | undefined
  readonly untilMs: number | undefined
}

const COLUMNS = [
  'token_id as tokenId',
  'rule',
  'subject',
  'spent',
  'allowance',
  'paused_ms as pausedMs',
  'until_ms as untilMs',
] as const

export async function readPause(db: Kysely<Schema>, key: PauseKey): Promise<PauseRow | undefined> {
  const row = await db
    .selectFrom('token_pause')
    .select(COLUMNS)
    .where('token_id', '=', key.tokenId)
    .where('rule', '=', key.rule)
    .where('subject', '=', key.subject)
    .executeTakeFirst()
  return row && pauseRow(row)
}

/** Adds spending and sets the pause; returns the row as written by all processes together. */
export async function addToPause(db: Kysely<Schema>, change: PauseChange, now: number): Promise<PauseRow> {
  const { tokenId, rule, subject, spent, pausedMs, untilMs } = change
  const row = await db
    .insertInto('token_pause')
    .values({
      token_id: tokenId,
      rule,
      subject,
      spent,
      allowance: 0n,
      paused_ms: pausedMs ?? 0,
      until_ms: untilMs ?? 0,
      used_ms: now,
    })
    .onConflict((conflict) =>
      conflict.columns(['token_id', 'rule', 'subject']).doUpdateSet({
        spent: sql<bigint>`token_pause.spent + excluded.spent`,
        used_ms: now,
        ...(pausedMs === undefined ? {} : { paused_ms: pausedMs }),
        ...(untilMs === undefined ? {} : { until_ms: untilMs }),
      }),
    )
    .returning(COLUMNS)
    .executeTakeFirstOrThrow()
  return pauseRow(row)
}

/** A user's pauses that are not yet released, newest first, at most `most`. */
export async function listPauses(
  db: Kysely<Schema>,
  userId: number,
  now: number,
  most: number,
): Promise<readonly (PauseRow & { readonly tokenName: string })[]> {
  const rows = await db
    .selectFrom('token_pause')
    .innerJoin('token', 'token.id', 'token_pause.token_id')
    .select([...COLUMNS, 'token.name as tokenName'])
    .where('token.user_id', '=', userId)
    .where('paused_ms', '>', 0)
    .where((where) => where.or([where('until_ms', '=', 0), where('until_ms', '>', now)]))
    .orderBy('paused_ms', 'desc')
    .limit(most)
    .execute()
  return rows.map((row) => ({ ...pauseRow(row), tokenName: row.tokenName }))
}

/**
 * Ends a pause of a token of this user: a session may spend the amount that the token allows once more; the count of a repeated
 * body is reset. Undefined if nothing with this name is paused there.
 */
export async function releasePause(
  db: Kysely<Schema>,
  userId: number,
  { tokenId, rule, subject }: PauseKey,
): Promise<PauseRow | undefined> {
  const row = await db
    .updateTable('token_pause')
    .set({
      paused_ms: 0,
      until_ms: 0,
      allowance: sql<bigint>`allowance + coalesce((select session_quota from token where token.id = token_pause.token_id), 0)`,
    })
    .where('token_id', '=', tokenId)
    .where('rule', '=', rule)
    .where('subject', '=', subject)
    .where('paused_ms', '>', 0)
    .where('token_id', 'in', db.selectFrom('token').select('id').where('user_id', '=', userId))
    .returning(COLUMNS)
    .executeTakeFirst()
  return row && pauseRow(row)
}

/** Removes rows last used before this time. */
export async function sweepPauses(db: Kysely<Schema>, before: number): Promise<void> {
  await db.deleteFrom('token_pause').where('used_ms', '<', before).execute()
}

function pauseRow<Row extends { readonly rule: string }>(row: Row): Row & { readonly rule: PauseRule } {
  return { ...row, rule: row.rule === 'loop' ? 'loop' : 'session' }
}
