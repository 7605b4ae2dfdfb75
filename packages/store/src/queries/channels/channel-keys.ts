import { type Kysely, sql } from 'kysely'
import { inTransaction } from '../../in-transaction.ts'
import type { Schema } from '../../schema/schema.ts'
import { bumpVersion } from '../../snapshots/versions.ts'
import { CHANNEL_STATUS } from '../../statuses.ts'

/** A key of a channel that is switched off; those that are on have no row. */
export interface SwitchedOffKey {
  /** See `keyFingerprint` in `@sluice/routing`. */
  readonly fingerprint: string
  /** 2: switched off by a person; 3: by the gateway. */
  readonly status: number
  /** Why the gateway did it; empty when a person did. */
  readonly reason: string
  /** Unix milliseconds. */
  readonly sinceMs: number
}

export async function listSwitchedOffKeys(db: Kysely<Schema>, channel: number): Promise<readonly SwitchedOffKey[]> {
  return await db
    .selectFrom('channel_key')
    .select(['fingerprint', 'status', 'reason', 'since_ms as sinceMs'])
    .where('channel_id', '=', channel)
    .execute()
}

export async function listKeysOffAutomatically(
  db: Kysely<Schema>,
): Promise<readonly (NamedKey & Pick<SwitchedOffKey, 'sinceMs'>)[]> {
  return await db
    .selectFrom('channel_key')
    .select(['channel_id as channel', 'fingerprint', 'since_ms as sinceMs'])
    .where('status', '=', CHANNEL_STATUS.autoDisabled)
    .orderBy('channel_id')
    .orderBy('since_ms')
    .execute()
}

export interface NamedKey {
  readonly channel: number
  readonly fingerprint: string
}

/**
 * Switches one key off, if the channel's keys are still those sealed in `keySealed`. A person (2) overrides the gateway; the
 * gateway (3) overrides no one. True when this call changed it.
 */
export async function switchKeyOff(
  db: Kysely<Schema>,
  { channel, fingerprint }: NamedKey,
  {
    keySealed,
    status,
    reason,
    sinceMs,
  }: Omit<SwitchedOffKey, 'fingerprint' | 'status'> & { readonly keySealed: string; readonly status: 2 | 3 },
): Promise<boolean> {
  return await db.transaction().execute(async (trx) => {
    const row = await trx
      .insertInto('channel_key')
      .columns(['channel_id', 'fingerprint', 'status', 'reason', 'since_ms'])
      .expression((eb) =>
        eb
          .selectFrom('channel')
          .select([
            'id as channel_id',
            sql<string>`cast(${fingerprint} as text)`.as('fingerprint'),
            sql<number>`cast(${status} as integer)`.as('status'),
            sql<string>`cast(${reason} as text)`.as('reason'),
            sql<number>`cast(${sinceMs} as double precision)`.as('since_ms'),
          ])
          .where('id', '=', channel)
          .where('key_sealed', '=', keySealed),
      )
      .onConflict((conflict) =>
        conflict
          .columns(['channel_id', 'fingerprint'])
          .doUpdateSet({ status, reason, since_ms: sinceMs })
          .where('channel_key.status', '>', status),
      )
      .returning('channel_id')
      .executeTakeFirst()
    if (row === undefined) return false
    await bumpVersion(trx, 'channels')
    return true
  })
}

/** Switches one key on again; with `from` only if it was switched off that way (3: by the gateway). True when it was off. */
export async function switchKeyOn(
  db: Kysely<Schema>,
  { channel, fingerprint }: NamedKey,
  from?: 2 | 3,
): Promise<boolean> {
  return await db.transaction().execute(async (trx) => {
    const { numDeletedRows } = await trx
      .deleteFrom('channel_key')
      .where('channel_id', '=', channel)
      .where('fingerprint', '=', fingerprint)
      .$if(from !== undefined, (query) => query.where('status', '=', from ?? 0))
      .executeTakeFirst()
    if (numDeletedRows === 0n) return false
    await bumpVersion(trx, 'channels')
    return true
  })
}

/** Stores the list without one key, and forgets that key's state. False when the channel's keys are no longer `before`. */
export async function removeKey(
  db: Kysely<Schema>,
  { channel, fingerprint }: NamedKey,
  { before, keySealed, keyCount }: { readonly before: string; readonly keySealed: string; readonly keyCount: number },
): Promise<boolean> {
  return await inTransaction(db, async (trx) => {
    const { numUpdatedRows } = await trx
      .updateTable('channel')
      .set({ key_sealed: keySealed, key_count: keyCount })
      .where('id', '=', channel)
      .where('key_sealed', '=', before)
      .executeTakeFirst()
    if (numUpdatedRows === 0n) return false
    await trx
      .deleteFrom('channel_key')
      .where('channel_id', '=', channel)
      .where('fingerprint', '=', fingerprint)
      .execute()
    await bumpVersion(trx, 'channels')
    return true
  })
}

/**
 * The effect of a list change on the states of a channel's keys: they are forgotten, or carried over (old → new fingerprint) when a
 * key replaces another. When several keys become one, all of them are named, including unchanged ones: the one key is off if all of
 * them were.
 */
export type KeyStates = 'forgotten' | ReadonlyMap<string, string>

/** For the transaction that stores the new list. */
export async function changeKeyStates(trx: Kysely<Schema>, channel: number, states: KeyStates): Promise<void> {
  if (states !== 'forgotten' && states.size === 0) return
  const before = states === 'forgotten' ? [] : await listSwitchedOffKeys(trx, channel)
  await replaceKeyStates(trx, channel, states === 'forgotten' ? [] : movedStates(before, states))
}

/** Makes these the only keys of a channel that are switched off. */
export async function replaceKeyStates(
  trx: Kysely<Schema>,
  channel: number,
  off: readonly SwitchedOffKey[],
): Promise<void> {
  await trx.deleteFrom('channel_key').where('channel_id', '=', channel).execute()
  const values = off.map(({ sinceMs, ...key }) => ({ ...key, channel_id: channel, since_ms: sinceMs }))
  if (values.length > 0) await trx.insertInto('channel_key').values(values).execute()
}

/** Switches one key off, or on with the status of an enabled key, whoever switched it before. */
export async function setKeyState(trx: Kysely<Schema>, channel: number, key: SwitchedOffKey): Promise<void> {
  await trx
    .deleteFrom('channel_key')
    .where('channel_id', '=', channel)
    .where('fingerprint', '=', key.fingerprint)
    .execute()
  if (key.status === CHANNEL_STATUS.enabled) return
  const { sinceMs, ...state } = key
  await trx
    .insertInto('channel_key')
    .values({ ...state, channel_id: channel, since_ms: sinceMs })
    .execute()
}

function movedStates(before: readonly SwitchedOffKey[], moves: ReadonlyMap<string, string>): readonly SwitchedOffKey[] {
  const offBefore = new Map(before.map((key) => [key.fingerprint, key]))
  const unmoved = before.flatMap(({ fingerprint }) =>
    moves.has(fingerprint) ? [] : [[fingerprint, fingerprint] as const],
  )
  const sources = Map.groupBy([...moves, ...unmoved], ([, next]) => next)
  return [...sources].flatMap(([fingerprint, from]) => {
    const off = from.flatMap(([old]) => offBefore.get(old) ?? [])
    // A person's decision takes precedence over the gateway's.
    const [first] = off.toSorted((a, b) => a.status - b.status)
    return first === undefined || off.length < from.length ? [] : [{ ...first, fingerprint }]
  })
}

/** Gives every key that the gateway switched off another chance. For the transaction in which a person enables the channel. */
export async function forgetAutomaticStates(trx: Kysely<Schema>, channel: number): Promise<void> {
  await trx
    .deleteFrom('channel_key')
    .where('channel_id', '=', channel)
    .where('status', '=', CHANNEL_STATUS.autoDisabled)
    .execute()
}
