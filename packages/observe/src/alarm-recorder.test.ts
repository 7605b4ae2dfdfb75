import { listAlarms } from '@sluice/store/queries/ledger/alarms'
import { openTestDatabase, type TestDatabase } from '@sluice/testkit/databases'
import { type ManualTimers, openManualTimers } from '@sluice/testkit/manual-timers'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { type AlarmRecorder, openAlarmRecorder } from './alarm-recorder.ts'

let database: TestDatabase
let timers: ManualTimers
let recorder: AlarmRecorder
let errors: unknown[]

beforeAll(async () => {
  database = await openTestDatabase('sqlite')
})
beforeEach(async () => {
  await database.reset()
  errors = []
  timers = openManualTimers(1_000)
  recorder = openAlarmRecorder({
    database,
    every: (ms, run) => timers.every(ms, run),
    now: timers.now,
    onError: (error) => errors.push(error),
  })
})
afterEach(() => expect(errors).toEqual([]))
afterAll(() => database.close())

const raise = (subject: string) => recorder.raise({ kind: 'unpriced_model', subject, channelId: 0 })
const rows = async () => (await listAlarms(database.kysely, { limit: 1_000, offset: 0 })).rows

test('what happens repeatedly is written once, with its count', async () => {
  for (const wait of [0, 1_000, 1_000]) {
    await timers.advance(wait)
    raise('m')
  }
  expect(await rows()).toEqual([])
  await timers.advance(5_000)
  await recorder.close()
  expect(await rows()).toMatchObject([{ subject: 'm', occurrences: 3, firstSeen: 1_000, lastSeen: 3_000 }])
})

test('the number of different ones between two writes is bounded; known ones still count', async () => {
  for (let at = 0; at < 500; at++) raise(`m${at}`)
  raise('m0')
  await recorder.close()
  const written = await rows()
  expect(written).toHaveLength(200)
  expect(written.find(({ subject }) => subject === 'm0')).toMatchObject({ occurrences: 2 })
})

test('what a database that is full does not take is written later, with what happened meanwhile', async () => {
  const full = sql`create trigger full before insert on alarm begin select raise(abort, 'the disk is full'); end`
  await full.execute(database.kysely)
  raise('m')
  await timers.advance(5_000)
  await expect.poll(() => errors.length).toBe(1)
  errors = []
  await sql`drop trigger full`.execute(database.kysely)
  raise('m')
  await timers.advance(5_000)
  await recorder.close()
  expect(await rows()).toMatchObject([{ subject: 'm', occurrences: 2, firstSeen: 1_000, lastSeen: 6_000 }])
})
