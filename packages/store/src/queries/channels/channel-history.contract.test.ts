import { databaseEngines, openTestDatabase, type TestDatabase } from '@sluice/testkit/databases'
import { addChannel } from '@sluice/testkit/rows'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { addChannelCalls, type ChannelCalls, forgetOldCalls, readChannelHistory } from './channel-history.ts'

const DAY = 86_400
/** The start of a day. */
const T0 = 20_400 * DAY
const DAYS = { span: DAY, from: T0, width: DAY }

describe.each(databaseEngines)('the history of channels on %s', (engine) => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await openTestDatabase(engine)
  })
  beforeEach(() => database.reset())
  afterAll(() => database.close())

  const add = (...calls: readonly ChannelCalls[]) => addChannelCalls(database.kysely, calls)
  const read = (channels: readonly number[], range = DAYS) => readChannelHistory(database.kysely, channels, range)
  const calls = (channelId: number, start: number, answered: number, failed: number) => ({
    channelId,
    start,
    answered,
    failed,
  })

  test('counts a call once in each length of slot, whichever replica reports it', async () => {
    await add(calls(1, T0, 3, 1), calls(1, T0 + 300, 1, 0), calls(2, T0, 0, 2))
    await Promise.all([add(calls(1, T0, 2, 0)), add(calls(1, T0, 4, 5))])
    expect(await read([1])).toEqual([{ channelId: 1, bar: 0, answered: 10, failed: 6 }])
    expect(await read([1, 2], { span: 300, from: T0, width: 300 })).toEqual([
      { channelId: 1, bar: 0, answered: 9, failed: 6 },
      { channelId: 1, bar: 1, answered: 1, failed: 0 },
      { channelId: 2, bar: 0, answered: 0, failed: 2 },
    ])
    expect(await read([1], { span: 3_600, from: T0, width: 3_600 })).toMatchObject([{ answered: 10 }])
  })

  test('is read in bars that are wider than its slots, for the channels requested', async () => {
    await add(calls(1, T0 + 1_500, 1, 0), calls(1, T0 + 1_800, 1, 1), calls(1, T0 + 3_300, 1, 0), calls(3, T0, 1, 0))
    expect(await read([1, 2], { span: 300, from: T0, width: 1_800 })).toEqual([
      { channelId: 1, bar: 0, answered: 1, failed: 0 },
      { channelId: 1, bar: 1, answered: 2, failed: 1 },
    ])
    expect(await read([])).toEqual([])
  })

  test('forgets slots by their age, and channels that are gone', async () => {
    await addChannel(database.kysely, { id: 1, name: 'kept' })
    await add(calls(1, T0, 1, 0), calls(2, T0, 1, 0))
    await forgetOldCalls(database.kysely, T0 + 26 * 3_600)
    expect(await read([2])).toEqual([])
    expect(await read([1], { span: 300, from: T0, width: 300 })).toHaveLength(1)
    await forgetOldCalls(database.kysely, T0 + 26 * 3_600 + 1)
    expect(await read([1], { span: 300, from: T0, width: 300 })).toEqual([])
    expect(await read([1])).toHaveLength(1)
    await forgetOldCalls(database.kysely, T0 + 101 * DAY)
    expect(await read([1])).toEqual([])
  })

  test('takes more channels at once than one statement does', async () => {
    await add(...Array.from({ length: 2_500 }, (_, at) => calls(at, T0, 1, 0)))
    expect(await read([0, 1_234, 2_499])).toHaveLength(3)
  })
})
