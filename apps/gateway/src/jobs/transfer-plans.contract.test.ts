import { STATEMENTS } from '@sluice/ledger/engines/postgres-statements'
import { addTransferMonths, monthsAhead } from '@sluice/store/postgres/transfer-months'
import { openTestDatabase, postgresEngines, type TestDatabase } from '@sluice/testkit/databases'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const JUNE = Date.UTC(2026, 5, 15)
const idAt = (ms: number) => ms.toString(16).padStart(12, '0').padEnd(32, '0')

describe.each(postgresEngines)('a look-up of transfers on %s', { tags: 'postgres' }, (engine) => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await openTestDatabase(engine)
    for (let month = 0; month < 12; month += 3) await addTransferMonths(database.kysely, Date.UTC(2026, month))
  })
  afterAll(() => database.close())

  it('by the ids of a batch reads the months of these ids and no other, whatever the plan', async () => {
    if (database.engine !== 'postgres') throw new Error('not this engine')
    const client = database.openClient()
    const read = async (text: string) =>
      (await client.query({ text })).rows.map((row) => String(Object.values(row)[0])).join('\n')
    await read('set plan_cache_mode = force_generic_plan')
    await read(`prepare look_up (text[]) as ${STATEMENTS.readTransfers}`)
    const ids = [idAt(JUNE), idAt(JUNE + 1)].join()
    const plan = await read(`explain (analyze, costs off, timing off) execute look_up ('{${ids}}')`)
    await client.close()
    const scans = [...plan.matchAll(/ on (transfer_\w+) .*\((never executed|actual[^)]*)\)/g)]
    const executed = scans.filter(([, , what]) => what !== 'never executed').map(([, table]) => table)
    expect(scans.length).toBeGreaterThan(12)
    expect(executed).toEqual([monthsAhead(JUNE)[0]?.table])
  })
})
