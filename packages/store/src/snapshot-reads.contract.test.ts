import type { LedgerEngine } from '@sluice/ledger/engine'
import { openTestDatabase, type TestDatabase } from '@sluice/testkit/databases'
import { openTestLedgerEngine } from '@sluice/testkit/ledger-engine'
import { openTestPayer, type TestPayer, testHold, testSettle } from '@sluice/testkit/ledger-operations'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openSnapshotReads } from './snapshot-reads.ts'

/** Runs for seconds on either engine. */
const LONG = sql`with recursive c(x) as (select 1 union all select x + 1 from c where x < 20000000) select count(*) from c`

// PGlite has one session: nothing there runs in parallel.
describe.each(['sqlite', 'postgres'] as const)('a snapshot read on %s', { tags: 'postgres' }, (name) => {
  let database: TestDatabase
  let engine: LedgerEngine
  let payer: TestPayer

  beforeEach(async () => {
    database = await openTestDatabase(name)
    engine = await openTestLedgerEngine(database)
    await engine.heartbeat('r1')
    payer = await openTestPayer(engine, 'r1', { userId: 1, tokenId: 1, quota: 1_000 })
  })
  afterEach(async () => {
    await engine.close()
    await database.close()
  })

  const chargedIn = async (db: TestDatabase['kysely']): Promise<number> =>
    (await db.selectFrom('transfer').select('request_id').where('kind', '=', 'consume').execute()).length
  const charge = async (id: string): Promise<void> => {
    await engine.apply([testHold(payer, id, 10)], 'r1')
    await engine.apply([testSettle(payer, id, 1)], 'r1')
  }

  it('does not change while charges are made and read next to it', async () => {
    const snapshotReads = await openSnapshotReads(database)
    await charge('before')
    await snapshotReads.read(async (db) => {
      expect(await chargedIn(db)).toBe(1)
      await charge('beside')
      expect(await chargedIn(database.kysely)).toBe(2)
      expect(await chargedIn(db)).toBe(1)
    })
    expect(await snapshotReads.read(chargedIn)).toBe(2)
    await snapshotReads.close()
  })

  it('reads for as long as it takes, and nothing waits for it', async () => {
    const snapshotReads = await openSnapshotReads(database)
    const ended: string[] = []
    const long = snapshotReads.read((db) => LONG.execute(db)).catch(() => {})
    void long.then(() => ended.push('the long read'))
    await charge('beside')
    ended.push('a charge')
    await chargedIn(database.kysely)
    ended.push('a query')
    expect(ended).toEqual(['a charge', 'a query'])
    await snapshotReads.abandon()
    await long
  })

  it('can be abandoned in the middle of a statement', async () => {
    const snapshotReads = await openSnapshotReads(database)
    const long = snapshotReads.read((db) => LONG.execute(db))
    await chargedIn(database.kysely)
    const refused = expect(long).rejects.toThrow()
    await snapshotReads.abandon()
    await refused
    await charge('after')
    expect(await chargedIn(database.kysely)).toBe(1)
  })

  it('can be abandoned while its connection opens', async () => {
    const snapshotReads = await openSnapshotReads(database)
    const refused = expect(snapshotReads.read((db) => LONG.execute(db))).rejects.toThrow()
    await new Promise(setImmediate)
    await snapshotReads.abandon()
    await refused
  })

  it('can be abandoned between two statements', async () => {
    const snapshotReads = await openSnapshotReads(database)
    let abandoned = Promise.resolve()
    const read = snapshotReads.read(async (db) => {
      await chargedIn(db)
      abandoned = snapshotReads.abandon()
      await chargedIn(database.kysely)
      return await LONG.execute(db)
    })
    await expect(read).rejects.toThrow()
    await abandoned
  })

  // A SQLite thread cannot be interrupted: it ends with its statement.
  const itOnServer = name === 'postgres' ? it : undefined
  itOnServer?.('leaves nothing running on the server', async () => {
    const running = async (): Promise<number> => {
      const { rows } = await sql`select 1 from pg_stat_activity
        where datname = current_database() and state = 'active' and query = 'select pg_sleep(60)'`.execute(
        database.kysely,
      )
      return rows.length
    }
    const snapshotReads = await openSnapshotReads(database)
    const refused = expect(snapshotReads.read((db) => sql`select pg_sleep(60)`.execute(db))).rejects.toThrow()
    await expect.poll(running, { timeout: 10_000 }).toBe(1)
    await snapshotReads.abandon()
    await refused
    await expect.poll(running, { timeout: 10_000 }).toBe(0)
  })

  it('gives its connection back when its work fails', async () => {
    const snapshotReads = await openSnapshotReads(database)
    await expect(snapshotReads.read((db) => sql`select * from nowhere`.execute(db))).rejects.toThrow('nowhere')
    expect(await snapshotReads.read(chargedIn)).toBe(0)
    await snapshotReads.close()
  })
})
