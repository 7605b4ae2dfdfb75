import type { Kysely } from 'kysely'
import { CLOCKS_DIFFER_MS } from '../clocks.ts'
import type { Schema } from '../schema/schema.ts'

/** Times are unix milliseconds. */
export interface LeaseClaim {
  readonly job: string
  readonly owner: string
  readonly now: number
  readonly until: number
}

/**
 * Takes a lease that is free, or whose holder's clock was ahead, and returns its fencing number, one higher than any before.
 * Undefined when another process holds it. One conditional statement, so two claims at once end with one owner.
 */
export async function claimLease(
  db: Kysely<Schema>,
  { job, owner, now, until }: LeaseClaim,
): Promise<number | undefined> {
  const row = await db
    .insertInto('lease')
    .values({ job, owner, epoch: 1, until_ms: until })
    .onConflict((conflict) =>
      conflict
        .column('job')
        .doUpdateSet((eb) => ({ owner, until_ms: until, epoch: eb('lease.epoch', '+', 1) }))
        .where((eb) => eb.or([eb('lease.until_ms', '<=', now), eb('lease.until_ms', '>', now + CLOCKS_DIFFER_MS)])),
    )
    .returning('epoch')
    .executeTakeFirst()
  return row?.epoch
}

/** Changes the end of a lease; false if it has another owner by now. An end of 0 releases it. */
export async function moveLease(db: Kysely<Schema>, job: string, epoch: number, until: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('lease')
    .set({ until_ms: until })
    .where('job', '=', job)
    .where('epoch', '=', epoch)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}
