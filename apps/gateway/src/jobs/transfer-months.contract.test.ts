// @module-tag postgres
import { monthsAhead } from '@sluice/store/postgres/transfer-months'
import { openTestDatabase, type TestDatabase } from '@sluice/testkit/databases'
import { type ManualTimers, openManualTimers } from '@sluice/testkit/manual-timers'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { openTransferMonths } from './transfer-months.ts'

const SIX_HOURS = 6 * 3_600_000

let database: TestDatabase
let timers: ManualTimers
let warnings: number
beforeEach(async () => {
  database = await openTestDatabase('postgres')
  timers = openManualTimers()
  warnings = 0
})
afterEach(() => database.close())

const open = () =>
  openTransferMonths({ database, timers, now: timers.now, log: { info: () => {}, warn: () => void (warnings += 1) } })
const months = async () => {
  const { rows } = await sql<{ name: string }>`select tablename as name from pg_tables
    where tablename like 'transfer\\_2%' or tablename like 'transfer\\_1%' order by 1`.execute(database.kysely)
  return rows.map(({ name }) => name)
}
const wanted = () => monthsAhead(timers.now()).map(({ table }) => table)

it('the months ahead exist soon after the start, and later ones when their time comes', async () => {
  await open().close()
  expect(await months()).toEqual(wanted())
  const keeping = open()
  await timers.advance(40 * 86_400_000)
  // Work in progress may have begun a month ago.
  await keeping.looked()
  await timers.advance(SIX_HOURS)
  await keeping.close()
  expect(await months()).toEqual(expect.arrayContaining([...wanted()]))
  expect(warnings).toBe(0)
})

it('a long reader holds no one up: a warning is logged, and the work tried again', async () => {
  const reader = await database.reopen()
  await reader.kysely.transaction().execute(async (trx) => {
    await sql`select * from transfer_other`.execute(trx)
    const keeping = open()
    await timers.advance(SIX_HOURS)
    await keeping.close()
  })
  await reader.close()
  const before = warnings
  await open().close()
  expect(before).toBeGreaterThan(0)
  expect(warnings).toBe(before)
  expect(await months()).toEqual(wanted())
})
