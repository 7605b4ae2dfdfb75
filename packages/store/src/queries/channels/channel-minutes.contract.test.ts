import { databaseEngines, openTestDatabase, type TestDatabase } from '@sluice/testkit/databases'
import { addChannel } from '@sluice/testkit/rows'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  addChannelMinutes,
  type ChannelMinute,
  purgeChannelMinutes,
  SEVERAL,
  sumChannelMinutes,
} from './channel-minutes.ts'
import { disableChannel, findChannel, setChannelStatus } from './channels.ts'

const ANN = 11
const BOB = 12

describe.each(databaseEngines)('calls by channel and minute on %s', (engine) => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await openTestDatabase(engine)
  })
  beforeEach(() => database.reset())
  afterAll(() => database.close())

  const minute = (more: Partial<ChannelMinute>): ChannelMinute => ({
    channel: 1,
    minute: 100,
    calls: 1,
    failed: 0,
    caller: ANN,
    failedOf: new Map(),
    ...more,
  })
  const add = (...minutes: readonly ChannelMinute[]) => addChannelMinutes(database.kysely, minutes)
  const sum = (since = 90, channel = 1) => sumChannelMinutes(database.kysely, channel, since)

  test('of several replicas add up', async () => {
    expect(await sum()).toEqual({ calls: 0, failed: 0, badMinutes: 0, mostOfOneUser: 0, isOneCaller: false })
    await Promise.all(
      [1, 2, 3].map(() => add(minute({ calls: 4, failed: 2, failedOf: new Map([[ANN, 2]]) }), minute({ minute: 101 }))),
    )
    expect(await sum()).toEqual({ calls: 15, failed: 6, badMinutes: 1, mostOfOneUser: 6, isOneCaller: true })
    await add(minute({ minute: 101, calls: 3, failed: 3, caller: BOB, failedOf: new Map([[BOB, 3]]) }))
    expect(await sum()).toEqual({ calls: 18, failed: 9, badMinutes: 2, mostOfOneUser: 6, isOneCaller: false })
    expect(await sum(101)).toMatchObject({ calls: 6, failed: 3 })
    expect(await sum(90, 2)).toMatchObject({ calls: 0 })
  })

  test('of two users, each in a different minute, are not those of one', async () => {
    await add(minute({}), minute({ minute: 101, caller: BOB }))
    expect(await sum()).toMatchObject({ isOneCaller: false })
    await add(minute({ minute: 110, caller: SEVERAL }))
    expect(await sum(110)).toMatchObject({ isOneCaller: false })
  })

  test('can be written in any number at once', async () => {
    const many = Array.from({ length: 1_200 }, (_, at) =>
      minute({ channel: at, failed: 1, failedOf: new Map([[ANN, 1]]) }),
    )
    await add(...many, minute({ channel: 1_200 }))
    expect(await sum(90, 1_199)).toMatchObject({ calls: 1, failed: 1 })
  })

  test('are left out where several channels were called and none gave an answer', async () => {
    const failed = { failed: 1, failedOf: new Map([[ANN, 1]]) }
    await add(minute({ channel: 1, ...failed }), minute({ channel: 2, ...failed }))
    await add(minute({ channel: 1, minute: 101, ...failed }), minute({ channel: 2, minute: 101 }))
    await add(minute({ channel: 1, minute: 102, ...failed }))
    expect(await sum(90, 1)).toMatchObject({ calls: 2, failed: 2, badMinutes: 2, mostOfOneUser: 2 })
  })

  test('are removed when they are old', async () => {
    await add(minute({ failed: 1, failedOf: new Map([[ANN, 1]]) }), minute({ minute: 101 }))
    await purgeChannelMinutes(database.kysely, 101, 101)
    expect(await sum(0)).toMatchObject({ calls: 1, failed: 0, mostOfOneUser: 0 })
  })

  test('are removed when a clock that was ahead left them', { tags: 'S45' }, async () => {
    await add(minute({ minute: 525_700, failed: 1, failedOf: new Map([[ANN, 1]]) }), minute({ minute: 101 }))
    await purgeChannelMinutes(database.kysely, 95, 101)
    expect(await sum(0)).toMatchObject({ calls: 1, failed: 0, mostOfOneUser: 0 })
  })

  test('are forgotten when their channel is enabled again', async () => {
    const db = database.kysely
    const id = await addChannel(db)
    const other = await addChannel(db)
    await add(minute({ channel: id, failed: 1, failedOf: new Map([[ANN, 1]]) }), minute({ channel: other }))
    expect(await disableChannel(db, id, { reason: 'it fails', at: 5_000, keySealed: 'another key' })).toBe(false)
    expect(await disableChannel(db, id, { reason: 'it fails', at: 5_000 })).toBe(true)
    expect(await disableChannel(db, id, { reason: 'again', at: 6_000 })).toBe(false)
    expect(await findChannel(db, id)).toMatchObject({ status: 3, disabledReason: 'it fails', disabledMs: 5_000 })
    expect(await sum(0, id)).toMatchObject({ calls: 1, mostOfOneUser: 1 })
    expect(await setChannelStatus(db, id, 1, 3)).toBe(true)
    expect(await findChannel(db, id)).toMatchObject({ status: 1, disabledReason: '', disabledMs: 5_000 })
    expect(await sum(0, id)).toMatchObject({ calls: 0, mostOfOneUser: 0 })
    expect(await sum(0, other)).toMatchObject({ calls: 1 })
  })
})
