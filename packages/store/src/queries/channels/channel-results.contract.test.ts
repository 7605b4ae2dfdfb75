import { databaseEngines, openTestDatabase, type TestDatabase } from '@sluice/testkit/databases'
import { addChannel } from '@sluice/testkit/rows'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { listChannelTargets, RECENT_TESTS, recordChannelBalance, recordChannelTest } from './channel-results.ts'
import { disableChannel, findChannel, setChannelStatus } from './channels.ts'

describe.each(databaseEngines)('what is observed of channels on %s', (engine) => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await openTestDatabase(engine)
  })
  beforeEach(() => database.reset())
  afterAll(() => database.close())

  const record = (id: number, counts: 'passed' | 'failed' | undefined) =>
    recordChannelTest(database.kysely, id, { responseTime: 120, testTime: 5, counts })

  test('targets are found by state and by type', async () => {
    const db = database.kysely
    await addChannel(db, { type: 1, name: 'a', testing_model: 'm' })
    await addChannel(db, { type: 50, status: 2 })
    await addChannel(db, { type: 50, status: 3 })
    expect((await listChannelTargets(db, { statuses: [2, 3] })).map(({ id }) => id)).toEqual([2, 3])
    expect((await listChannelTargets(db, { types: [50], statuses: [1, 3] })).map(({ id }) => id)).toEqual([3])
    expect((await listChannelTargets(db, {}))[0]).toEqual({
      id: 1,
      name: 'a',
      status: 1,
      models: 'gpt-4o',
      testingModel: 'm',
      keyCount: 0,
      disabledMs: 0,
      disabledTimes: 0,
    })
  })

  test('the last tests are kept, newest last, except those that say nothing', async () => {
    const id = await addChannel(database.kysely)
    expect(await record(id, 'passed')).toBe('1')
    expect(await record(id, undefined)).toBe('1')
    expect(await record(id, 'failed')).toBe('10')
    for (let i = 0; i < RECENT_TESTS; i++) await record(id, 'passed')
    expect(await record(id, 'failed')).toBe(`${'1'.repeat(RECENT_TESTS - 1)}0`)
    expect(await findChannel(database.kysely, id)).toMatchObject({ responseTime: 120, testTime: 5 })
    expect(await record(99, 'passed')).toBeUndefined()
  })

  test('a channel that is enabled again starts afresh', async () => {
    const id = await addChannel(database.kysely, { recent_tests: '000' })
    await setChannelStatus(database.kysely, id, 3)
    expect(await record(id, 'failed')).toBe('0000')
    await setChannelStatus(database.kysely, id, 1)
    expect(await record(id, 'passed')).toBe('1')
  })

  test('how often a channel was disabled is counted until a day has passed or a person has switched it', async () => {
    const db = database.kysely
    const id = await addChannel(db)
    const HOUR = 3_600_000
    const times = async () => (await listChannelTargets(db, {}))[0]?.disabledTimes
    const disableAt = async (at: number) => {
      await disableChannel(db, id, { reason: 'it fails', at })
      return await times()
    }
    const seen = []
    for (const hour of [100, 101, 124, 149]) {
      seen.push(await disableAt(hour * HOUR))
      await setChannelStatus(db, id, 1, 3)
    }
    expect(seen).toEqual([1, 2, 3, 1])
    expect(await disableAt(150 * HOUR)).toBe(2)
    await setChannelStatus(db, id, 1)
    expect([await times(), await disableAt(151 * HOUR)]).toEqual([0, 1])
  })

  test('a balance keeps its sign, its currency and its time', async () => {
    const id = await addChannel(database.kysely)
    await recordChannelBalance(database.kysely, id, { micros: -9_007_199_254_740_991, currency: 'CNY', time: 7 })
    expect(await findChannel(database.kysely, id)).toMatchObject({
      balanceMicros: -9_007_199_254_740_991,
      balanceCurrency: 'CNY',
      balanceTime: 7,
    })
  })
})
