import type { CallCause } from '@sluice/routing/health'
import { readChannelHistory } from '@sluice/store/queries/channels/channel-history'
import { openTestDatabase, type TestDatabase } from '@sluice/testkit/databases'
import { type ManualTimers, openManualTimers } from '@sluice/testkit/manual-timers'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type ChannelHistory, openChannelHistory } from './channel-history.ts'

const T0 = 20_400 * 86_400
let database: TestDatabase
let timers: ManualTimers
let history: ChannelHistory
let errors: unknown[]

const open = (over: Pick<TestDatabase, 'kysely'>) =>
  openChannelHistory({
    database: over,
    every: (ms, run) => timers.every(ms, run),
    now: timers.now,
    onError: (error) => errors.push(error),
  })
beforeAll(async () => {
  database = await openTestDatabase('sqlite')
})
beforeEach(async () => {
  await database.reset()
  errors = []
  timers = openManualTimers(T0 * 1_000)
  history = open(database)
})
afterAll(() => database.close())

const count = (cause: CallCause, channel = 1) => history.count({ channel, cause, ended: timers.now() })
const bars = async (channels = [1]) =>
  await readChannelHistory(database.kysely, channels, { span: 300, from: T0, width: 300 })

test('calls are written together, in the slot in which they ended', async () => {
  for (const cause of ['answered', 'answered', 'provider', 'account', 'limited'] as const) count(cause)
  expect(await bars()).toEqual([])
  await timers.advance(10_000)
  await timers.advance(290_000)
  count('answered')
  await history.close()
  expect(await bars()).toEqual([
    { channelId: 1, bar: 0, answered: 2, failed: 3 },
    { channelId: 1, bar: 1, answered: 1, failed: 0 },
  ])
  expect(errors).toEqual([])
})

test('mistakes of users, calls they give up and missing setup say nothing about a channel', async () => {
  for (const cause of ['request', 'setup', 'stopped'] as const) count(cause)
  await history.close()
  expect(await bars()).toEqual([])
})

test('calls wait for a database that is away, up to a limit', async () => {
  const away = await openTestDatabase('sqlite')
  await away.close()
  let isAway = true
  const unwritten = open({
    get kysely() {
      return isAway ? away.kysely : database.kysely
    },
  })
  for (let channel = 0; channel < 6_000; channel++) {
    unwritten.count({ channel, cause: 'answered', ended: T0 * 1_000 })
  }
  await timers.advance(10_000)
  expect(errors).toHaveLength(1)
  isAway = false
  unwritten.count({ channel: 0, cause: 'provider', ended: T0 * 1_000 })
  await unwritten.close()
  expect(await bars([0, 4_999, 5_000])).toEqual([
    { channelId: 0, bar: 0, answered: 1, failed: 1 },
    { channelId: 4_999, bar: 0, answered: 1, failed: 0 },
  ])
})
