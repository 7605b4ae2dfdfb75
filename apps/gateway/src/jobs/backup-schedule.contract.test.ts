import { BACKUP_JOB, findLastBackup, readBackupRuns } from '@sluice/store/queries/backup-runs'
import { databaseEngines, openTestDatabase, type TestDatabase } from '@sluice/testkit/databases'
import { type ManualTimers, openManualTimers } from '@sluice/testkit/manual-timers'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Notice } from '../messages/mail.ts'
import { type BackupOutcome, type BackupSchedule, openBackupSchedule } from './backup-schedule.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

describe.each(databaseEngines)('the schedule of backups on %s', (engine) => {
  let database: TestDatabase
  let timers: ManualTimers
  let notices: Notice[]
  let made: number[]
  let outcome: BackupOutcome
  let open: BackupSchedule[]

  beforeAll(async () => {
    database = await openTestDatabase(engine)
  })
  beforeEach(async () => {
    await database.reset()
    timers = openManualTimers()
    notices = []
    made = []
    outcome = { made: 'one' }
    open = []
  })
  afterEach(async () => {
    for (const each of open) await each.close()
  })
  afterAll(() => database.close())

  const start = (place = '/backups', make: (signal: AbortSignal) => Promise<BackupOutcome> = async () => outcome) => {
    const schedule = openBackupSchedule({
      database,
      replica: 'r1',
      place,
      everyMs: DAY_MS,
      make: async (signal) => {
        made.push(timers.now())
        return await make(signal)
      },
      now: () => timers.now(),
      timers,
      notify: async (notice) => void notices.push(notice),
      log: { info: () => {}, error: () => {} },
    })
    open.push(schedule)
    return schedule
  }
  /** Lets hours pass one by one. */
  const pass = async (schedule: BackupSchedule, hours: number) => {
    for (let hour = 0; hour < hours; hour += 1) {
      await timers.sleep(HOUR_MS)
      await schedule.looked()
    }
  }
  const begin = async (place?: string) => {
    const schedule = start(place)
    await schedule.looked()
    return schedule
  }

  it('makes one at the start, then one each interval, whichever process runs', async () => {
    const first = await begin()
    expect(made).toHaveLength(1)
    await pass(first, 23)
    expect(made).toHaveLength(1)
    await pass(first, 1)
    expect(made).toHaveLength(2)
    await first.close()
    const second = await begin()
    await pass(second, 23)
    expect(made).toHaveLength(2)
    expect(await findLastBackup(database.kysely, timers.now())).toEqual({ place: '/backups', begun: made[1] })
    expect(notices).toEqual([])
  })

  it('makes up for those that were missed, and begins again at another place', async () => {
    await (await begin()).close()
    await timers.sleep(9 * DAY_MS)
    await (await begin()).close()
    expect(made).toHaveLength(2)
    await begin('s3://elsewhere')
    expect(made).toHaveLength(3)
    expect(await readBackupRuns(database.kysely, 's3://elsewhere', timers.now())).toMatchObject({ isFailing: false })
  })

  it('tries again every hour after a failure, and notifies of the first, and daily when none has succeeded for two intervals', async () => {
    const schedule = await begin()
    const good = new Date(timers.now()).toISOString()
    outcome = { problem: 'The disk is full.' }
    await pass(schedule, 25)
    expect(made).toHaveLength(3)
    const notice = { kind: 'backup_failed', place: '/backups', problem: 'The disk is full.', latest: good }
    expect(notices).toEqual([notice])
    await pass(schedule, 22)
    expect([made.length, notices.length]).toEqual([25, 1])
    await pass(schedule, 1)
    expect(notices).toEqual([notice, notice])
    await pass(schedule, 23)
    expect(notices).toHaveLength(2)
    await pass(schedule, 1)
    expect(notices).toHaveLength(3)
    outcome = { made: 'one' }
    await pass(schedule, 1)
    expect(await readBackupRuns(database.kysely, '/backups', timers.now())).toMatchObject({ isFailing: false })
    outcome = { problem: 'The disk is full again.' }
    await pass(schedule, 24)
    expect(notices).toHaveLength(4)
  })

  it('stops one that is under way when the process ends, which is no failure', async () => {
    const schedule = start(
      '/backups',
      (signal) =>
        new Promise((resolve) => {
          signal.addEventListener('abort', () => resolve({ problem: 'It was stopped.' }))
        }),
    )
    await expect.poll(() => made.length).toBe(1)
    await schedule.close()
    const runs = await database.kysely.selectFrom('job_run').select(['job', 'outcome']).execute()
    expect([runs, notices]).toEqual([[{ job: BACKUP_JOB, outcome: 'stopped' }], []])
  })

  it('goes on soon after one that was stopped with its gateway, or whose gateway was killed, and not at once', async () => {
    const stopped = start(
      '/backups',
      (signal) =>
        new Promise((resolve) => {
          signal.addEventListener('abort', () => resolve({ problem: 'It was stopped.' }))
        }),
    )
    await expect.poll(() => made.length).toBe(1)
    await stopped.close()
    const next = await begin()
    expect(made).toHaveLength(1)
    await timers.sleep(5 * MINUTE_MS)
    await next.looked()
    expect(made).toHaveLength(2)
    await next.close()

    await timers.sleep(DAY_MS)
    const killed = { job: BACKUP_JOB, epoch: 9, scope: '/backups', started_by: 0, begun_ms: timers.now() }
    await database.kysely
      .insertInto('job_run')
      .values({ ...killed, outcome: 'running' })
      .execute()
    const last = await begin()
    expect(made).toHaveLength(2)
    await timers.sleep(5 * MINUTE_MS)
    await last.looked()
    expect(made).toHaveLength(3)
    expect(notices).toEqual([])
  })
})
