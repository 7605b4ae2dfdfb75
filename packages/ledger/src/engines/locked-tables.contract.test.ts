import type { PostgresDatabase } from '@sluice/store/database'
import { openTestDatabase, type TestDatabase } from '@sluice/testkit/databases'
import { brokenInvariants, openTestLedgerEngine, readRowsOf } from '@sluice/testkit/ledger-engine'
import { availableOf, openTestPayer, type TestPayer, testHold, testSettle } from '@sluice/testkit/ledger-operations'
import { outcomeName } from '@sluice/testkit/outcome-name'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { LedgerEngine } from '../engine.ts'
import { mqFromQuota } from '../units.ts'
import { openPostgresEngine } from './postgres.ts'

/** Far below the 15 s of the gateway's own connections. */
const PATIENCE_MS = 150

describe('the ledger in PostgreSQL while another session keeps a table locked for long', { tags: 'postgres' }, () => {
  let database: TestDatabase<PostgresDatabase>
  let engine: LedgerEngine
  let patient: LedgerEngine
  let payer: TestPayer
  let left = 10_000
  beforeAll(async () => {
    database = await openTestDatabase('postgres')
    patient = await openTestLedgerEngine(database)
    await patient.heartbeat('r1')
    payer = await openTestPayer(patient, 'r1', { userId: 1, tokenId: 1, quota: left, limit: left })
    const client = database.openClient()
    await client.query({ text: `set statement_timeout = ${PATIENCE_MS}` })
    engine = openPostgresEngine(client)
  })
  afterAll(async () => {
    expect(await brokenInvariants(readRowsOf(database))).toEqual([])
    await engine.close()
    await patient.close()
    await database.close()
  })

  it.each(['account', 'hold', 'transfer', 'log', 'trace'])(
    '%s: gives a batch up in time, keeps nothing of it, survives, and charges it once afterwards',
    async (table) => {
      await patient.apply([testHold(payer, `${table}-open`, 100)], 'r1')
      const charged = readRowsOf(database)(`select count(*) as n from transfer where kind = 'consume'`)
      const before = Number((await charged)[0]?.['n'])
      const batch = [testSettle(payer, `${table}-open`, 1), testHold(payer, table, 100), testSettle(payer, table, 1)]
      await database.kysely.transaction().execute(async (trx) => {
        await sql`lock table ${sql.table(table)} in access exclusive mode`.execute(trx)
        await expect(engine.apply(batch, 'r1')).rejects.toMatchObject({ code: '57014' })
        expect(await engine.heartbeat('r1')).toBe(true)
        await expect(engine.apply(batch, 'r1', { again: true })).rejects.toMatchObject({ code: '57014' })
      })
      const apply = async () => (await patient.apply(batch, 'r1', { again: true })).outcomes.map(outcomeName)
      expect(await apply()).toEqual(['done', 'done', 'done'])
      // Its request is over, so a hold for it is stale.
      expect(await apply()).toEqual(['done', 'stale', 'done'])
      left -= 20
      expect(await availableOf(patient, payer)).toEqual({ user: mqFromQuota(left), limit: mqFromQuota(left) })
      const after = await readRowsOf(database)(`select count(*) as n from transfer where kind = 'consume'`)
      expect(Number(after[0]?.['n'])).toBe(before + 2)
    },
  )
})
