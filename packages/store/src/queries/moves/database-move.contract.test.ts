import { openTestDatabase, type TestDatabase } from '@sluice/testkit/databases'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { PostgresDatabase } from '../../database.ts'
import { findReplicas, isStartLocked, lockStart, readDatabaseMove, type StartLock } from './database-move.ts'

describe('the lock of a move on PostgreSQL', { tags: 'postgres' }, () => {
  let database: TestDatabase<PostgresDatabase>
  beforeAll(async () => {
    database = await openTestDatabase('postgres')
  })
  afterAll(() => database.close())
  beforeEach(() => database.reset())

  const lock = async (): Promise<StartLock> => {
    const taken = await lockStart(database)
    if (taken === undefined) throw new Error('the lock is taken')
    return taken
  }

  it('is held by one process at a time, is seen by a gateway that starts, and ends with its connection', async () => {
    expect(await isStartLocked(database)).toBe(false)
    const first = await lock()
    expect(await isStartLocked(database)).toBe(true)
    expect(await lockStart(database)).toBeUndefined()
    await first.release()
    expect(await isStartLocked(database)).toBe(false)

    const second = await lock()
    await sql`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and state = 'idle in transaction'`.execute(database.kysely)
    await expect.poll(() => isStartLocked(database)).toBe(false)
    await expect(second.write({ left_ms: 5 })).rejects.toThrow()
    await second.release()
    expect(await readDatabaseMove(database.kysely)).toMatchObject({ left_ms: 0 })
  })

  it('writes where the data went as it ends', async () => {
    const taken = await lock()
    await taken.write({ to_id: 'there', to_name: 'a file', left_ms: 7 })
    await taken.release()
    expect(await isStartLocked(database)).toBe(false)
    expect(await readDatabaseMove(database.kysely)).toMatchObject({ to_id: 'there', to_name: 'a file', left_ms: 7 })
  })

  it('finds the replicas that work, and declares dead those that have been silent for a minute', async () => {
    const add = (id: string, agoMs: number, dead: number) =>
      sql`insert into replica (id, heartbeat_ms, started_ms, dead)
        values (${id}, extract(epoch from clock_timestamp()) * 1000 - ${agoMs}, 0, ${dead})`.execute(database.kysely)
    await add('works', 1_000, 0)
    await add('sleeps', 61_000, 0)
    await add('ended', 1_000, 1)
    expect(await findReplicas(database.kysely)).toEqual(['works'])
    const dead = await database.kysely.selectFrom('replica').select('id').where('dead', '=', 1).orderBy('id').execute()
    expect(dead.map(({ id }) => id)).toEqual(['ended', 'sleeps'])
  })
})
