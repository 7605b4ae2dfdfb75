import { type Kysely, sql } from 'kysely'
import { databaseTime } from '../../clocks.ts'
import type { Database } from '../../database.ts'
import type { Schema } from '../../schema/schema.ts'

/** A process with a heartbeat in the last 30 s, three times the interval between heartbeats. */
export interface LiveReplica {
  readonly id: string
  /** As the replica wrote them; empty when it says nothing about itself. */
  readonly facts: string
}

/** By id. */
export async function listLiveReplicas({
  kysely,
  engine,
}: Pick<Database, 'kysely' | 'engine'>): Promise<readonly LiveReplica[]> {
  return await kysely
    .selectFrom('replica')
    .select(['id', 'facts'])
    .where('dead', '=', 0)
    .where('heartbeat_ms', '>', sql<number>`${databaseTime(engine)} - 30000`)
    .orderBy('id')
    .execute()
}

/** Adds facts to the row that the heartbeat creates: a replica without a heartbeat yet writes nothing. */
export async function writeReplicaFacts(db: Kysely<Schema>, id: string, facts: string): Promise<void> {
  await db.updateTable('replica').set({ facts }).where('id', '=', id).execute()
}
