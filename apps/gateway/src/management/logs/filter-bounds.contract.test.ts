import { databaseEngines } from '@sluice/testkit/databases'
import { type ManagementBench, openManagementBench, type TestCaller } from '@sluice/testkit/management-bench'
import { addLog } from '@sluice/testkit/rows'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

/** The most digits that a query can have. */
const HUGE = '999999999999999'
const FILTERS = [
  `end_timestamp=${HUGE}`,
  `start_timestamp=1&end_timestamp=${HUGE}`,
  `start_timestamp=${HUGE}`,
  `type=${HUGE}`,
  `channel=${HUGE}`,
]

describe.each(databaseEngines)('numbers beyond every row in filters on %s', (engine) => {
  let bench: ManagementBench
  let admin: TestCaller
  beforeAll(async () => {
    bench = await openManagementBench(engine)
    admin = await bench.addCaller('admin', 10)
    await addLog(bench.database.kysely, { created_at: Math.floor(bench.clock.now / 1_000), user_id: admin.id })
  })
  afterAll(async () => {
    expect(bench.reported).toEqual([])
    await bench.close()
  })

  test.each(['', 'stat', 'histogram', 'self/', 'self/stat', 'self/histogram'])(
    'are answered, and block no one: /api/log/%s',
    { tags: ['S24', 'S27'] },
    async (path) => {
      const replies = await Promise.all(
        FILTERS.map((filter) => bench.ask('GET', `/api/log/${path}?${filter}`, { as: admin })),
      )
      expect(replies).toMatchObject(FILTERS.map(() => ({ status: 200, success: true })))
    },
  )

  test('are answered in searches for tokens and administrators', { tags: 'S24' }, async () => {
    const tokens = await bench.ask('GET', `/api/admin/tokens/?user_id=${HUGE}`, { as: admin })
    expect(tokens).toMatchObject({ success: true, data: [] })
    const audit = await bench.ask('GET', `/api/audit/?start_timestamp=${HUGE}`, {
      as: await bench.addCaller('root', 100),
    })
    expect(audit).toMatchObject({ success: true, data: [] })
  })
})
