import { databaseEngines, openTestDatabase, type TestDatabase } from '@sluice/testkit/databases'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type AlarmReport, dismissAlarm, listAlarms, reportAlarms } from './alarms.ts'

const DAY_MS = 86_400_000

describe.each(databaseEngines)('alarms on %s', (engine) => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await openTestDatabase(engine)
  })
  beforeEach(() => database.reset())
  afterAll(() => database.close())

  const report = (subject: string, at: number, more: Partial<AlarmReport> = {}): AlarmReport => ({
    kind: 'unpriced_model',
    subject,
    channelId: 0,
    occurrences: 1,
    firstSeen: at,
    lastSeen: at,
    ...more,
  })
  const raise = (...reports: readonly AlarmReport[]) => reportAlarms(database.kysely, reports)
  const list = async (limit = 10, offset = 0) => await listAlarms(database.kysely, { limit, offset })

  test('add up by subject and channel, the latest first', async () => {
    await raise(report('a', 1_000, { occurrences: 3, lastSeen: 1_500 }), report('b', 1_200))
    await raise(report('a', 2_000), report('a', 900, { channelId: 7 }))
    const { rows, total } = await list()
    expect(total).toBe(3)
    expect(rows).toMatchObject([
      { subject: 'a', channelId: 0, occurrences: 4, firstSeen: 1_000, lastSeen: 2_000, channelName: '' },
      { subject: 'b', occurrences: 1 },
      { subject: 'a', channelId: 7 },
    ])
    expect((await list(1, 1)).rows).toMatchObject([{ subject: 'b' }])
  })

  test('leave the list when they are dismissed, once, and return if they still happen a week later', async () => {
    await raise(report('a', 1_000))
    const id = (await list()).rows[0]?.id ?? 0
    expect(await dismissAlarm(database.kysely, id, 2_000)).toBe(true)
    expect(await dismissAlarm(database.kysely, id, 2_000)).toBe(false)
    expect(await dismissAlarm(database.kysely, id + 1, 2_000)).toBe(false)
    await raise(report('a', 2_000 + 7 * DAY_MS))
    expect((await list()).total).toBe(0)
    await raise(report('a', 2_001 + 7 * DAY_MS))
    expect((await list()).rows).toMatchObject([{ id, occurrences: 3, firstSeen: 1_000 }])
  })

  test('are bounded: the one not seen for longest is removed', async () => {
    for (let batch = 0; batch < 6; batch++) {
      await raise(...Array.from({ length: 200 }, (_, at) => report(`m${batch * 200 + at}`, batch * 200 + at)))
    }
    expect((await list()).total).toBe(1_000)
    expect((await list(1, 999)).rows).toMatchObject([{ subject: 'm200' }])
  })
})
