import { databaseEngines, openTestDatabase, type TestDatabase } from '@sluice/testkit/databases'
import { recordPlans } from '@sluice/testkit/query-plans'
import { addTransfer, addUser } from '@sluice/testkit/rows'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findMovements, findPrices, listPrices } from './movements.ts'

/** Ids of requests begin with their time, so they lie in different months. */
const REQUESTS = ['0199f0000000700080000000000000aa', '019ae000000070008000000000000bbb']

describe.each(databaseEngines)('movements of requests on %s', (engine) => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await openTestDatabase(engine)
    const db = database.kysely
    const ann = await addUser(db, { username: 'ann' })
    const { id: debit } = await db
      .selectFrom('account')
      .select('id')
      .where('owner_id', '=', ann)
      .executeTakeFirstOrThrow()
    const [one = '', other = ''] = REQUESTS
    await addTransfer(db, {
      request_id: 'late',
      kind: 'admin-refund',
      refers_to: one,
      at_ms: 9,
      actor: ann,
      amount: 2n,
    })
    await addTransfer(db, {
      request_id: 'soon',
      kind: 'admin-refund',
      refers_to: one,
      at_ms: 8,
      actor: 999,
      amount: 1n,
    })
    await addTransfer(db, { request_id: one, kind: 'refund', at_ms: 7, amount: 3n })
    await addTransfer(db, { request_id: one, kind: 'consume', debit, at_ms: 7, amount: 10n })
    await addTransfer(db, { request_id: other, kind: 'consume', debit, at_ms: 1, amount: 5n })
    await addTransfer(db, { request_id: other, kind: 'gift', at_ms: 1, amount: 6n })
    await addTransfer(db, { request_id: 'third', kind: 'consume', debit, at_ms: 1, amount: 7n })
  })
  afterAll(() => database.close())

  test('are listed in the order of a request’s life, refunds with the request that they give back', async () => {
    const found = await findMovements(database.kysely, [...REQUESTS, 'nowhere'])
    const reported = [...found].map(([id, movements]) => [id, movements.map(({ kind, amount }) => `${kind} ${amount}`)])
    expect(Object.fromEntries(reported)).toEqual({
      [REQUESTS[0] ?? '']: ['consume 10', 'refund 3', 'admin-refund 1', 'admin-refund 2'],
      [REQUESTS[1] ?? '']: ['consume 5'],
    })
    const [charge, , , last] = found.get(REQUESTS[0] ?? '') ?? []
    expect(charge?.userId).toBeGreaterThan(0)
    expect(last).toMatchObject({ actorName: 'ann', userId: undefined })
    expect(await findMovements(database.kysely, [])).toEqual(new Map())
  })

  test('are found without reading the table', async () => {
    const reads = await recordPlans(database, (db) => findMovements(db, REQUESTS))
    const ofTransfers = reads.filter(({ table }) => table.startsWith('transfer'))
    expect(ofTransfers.filter(({ searched }) => !searched)).toEqual([])
    expect(ofTransfers.length).toBeGreaterThan(0)
  })

  test('point to prices that are read by id', async () => {
    const db = database.kysely
    const rates = { input: 1n, cached_input: 2n, cache_write_5m: 3n, cache_write_1h: 4n, output: 5n, group_ratio: 6n }
    for (const content of ['a', 'b', 'c']) {
      await db
        .insertInto('price')
        .values({ content, ...rates, source: content, units: null })
        .execute()
    }
    const [first, second] = await listPrices(db, 0, 2)
    expect(first).toEqual({ id: expect.any(Number), ...rates, source: 'a', units: null })
    expect((await listPrices(db, second?.id ?? 0, 9)).map(({ source }) => source)).toEqual(['c'])
    expect([...(await findPrices(db, [second?.id ?? 0, second?.id ?? 0, 999]))]).toEqual([[second?.id, second]])
    expect(await findPrices(db, [])).toEqual(new Map())
  })
})
