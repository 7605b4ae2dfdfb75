import { databaseEngines, openTestDatabase, type TestDatabase } from '@sluice/testkit/databases'
import { addUser } from '@sluice/testkit/rows'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { askJobToStop, findLatestJobRun, insertJobRun, latestJobBegins, writeJobProgress } from './job-runs.ts'
import { claimLease, moveLease } from './leases.ts'

const JOB = 'channel-test'
const NOTHING = { total: 3, done: 0, failed: 0, disabled: 0, enabled: 0, failures: '[]' }

describe.each(databaseEngines)('runs of jobs on %s', (engine) => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await openTestDatabase(engine)
  })
  beforeEach(() => database.reset())
  afterAll(() => database.close())

  const begin = async (owner: string, now: number, startedBy = 0, scope = 'all') => {
    const epoch = (await claimLease(database.kysely, { job: JOB, owner, now, until: now + 1_000 })) ?? 0
    const id = await insertJobRun(database.kysely, { job: JOB, epoch }, { scope, startedBy, begun: now })
    return { epoch, id }
  }
  const write = ({ epoch, id }: { epoch: number; id: number }, more: Partial<typeof NOTHING> = {}, end?: number) =>
    writeJobProgress(
      database.kysely,
      { job: JOB, epoch },
      { id, progress: { ...NOTHING, ...more }, end: end === undefined ? undefined : { outcome: 'done', at: end } },
    )
  const latest = (now: number) => findLatestJobRun(database.kysely, JOB, now)

  test('report to every replica how far they have come, and who started them', async () => {
    expect(await latest(0)).toBeUndefined()
    const ann = await addUser(database.kysely, { username: 'ann' })
    const run = await begin('east', 5_000, ann)
    expect(await write(run, { done: 2, failed: 1, failures: '[{"id":4}]' })).toBe('go_on')
    expect(await latest(5_500)).toEqual({
      id: run.id,
      scope: 'all',
      startedBy: ann,
      startedByName: 'ann',
      outcome: 'running',
      isStopping: false,
      begun: 5_000,
      ended: 0,
      ...NOTHING,
      done: 2,
      failed: 1,
      failures: '[{"id":4}]',
    })
    expect(await write(run, { done: 3 }, 5_900)).toBe('go_on')
    expect(await latest(60_000)).toMatchObject({ outcome: 'done', ended: 5_900, done: 3 })
  })

  test('are remembered by scope, however many others have begun since', async () => {
    await begin('east', 1_000, 0, 'enabled')
    await addRuns(database, 250)
    await begin('east', 9_000_000, 0, 'recovery')
    expect((await latestJobBegins(database.kysely, JOB, 9_000_000)).get('enabled')).toBe(1_000)
    expect(await database.kysely.selectFrom('job_run').selectAll().execute()).toHaveLength(201)
  })

  test('read as stopped once their process is gone', async () => {
    await begin('east', 5_000)
    expect(await latest(6_000)).toMatchObject({ outcome: 'stopped', ended: 0 })
    const next = await begin('west', 6_500)
    expect(await latest(6_600)).toMatchObject({ id: next.id, outcome: 'running' })
  })

  test('of a process that slept through the end of its lease write nothing more', async () => {
    const slept = await begin('east', 5_000)
    const next = await begin('west', 6_500)
    expect(await write(slept, { done: 3 }, 6_600)).toBe('lost')
    expect(await latest(6_700)).toMatchObject({ id: next.id, done: 0 })
    await moveLease(database.kysely, JOB, next.epoch, 0)
    expect(await write(next, { done: 1 }, 6_800)).toBe('go_on')
  })

  test('learn on any replica that they should stop', async () => {
    await askJobToStop(database.kysely, JOB)
    const run = await begin('east', 5_000)
    expect(await write(run)).toBe('go_on')
    await askJobToStop(database.kysely, 'another job')
    expect(await write(run)).toBe('go_on')
    await askJobToStop(database.kysely, JOB)
    expect(await latest(5_100)).toMatchObject({ isStopping: true })
    expect(await write(run)).toBe('stop')
  })

  test('are known by when they began, and only the newest are kept', async () => {
    await begin('east', 1_000, 0, 'recovery')
    await begin('east', 2_000)
    await begin('east', 3_000)
    const begins = await latestJobBegins(database.kysely, JOB, 9_000_000)
    expect(begins).toEqual(
      new Map([
        ['all', 3_000],
        ['recovery', 1_000],
      ]),
    )
    expect(await latestJobBegins(database.kysely, 'another job', 9_000_000)).toEqual(new Map())
    for (let at = 4; at < 206; at++) await begin('east', at * 1_000)
    const kept = await database.kysely.selectFrom('job_run').select('begun_ms').orderBy('id').execute()
    expect([kept.length, kept[0]?.begun_ms, kept[1]?.begun_ms]).toEqual([201, 1_000, 6_000])
  })
})

/** Adds recovery runs that have ended. */
async function addRuns({ kysely }: TestDatabase, count: number): Promise<void> {
  const run = { job: JOB, epoch: 1, scope: 'recovery', started_by: 0, outcome: 'done' }
  const runs = Array.from({ length: count }, (_, at) => ({ ...run, begun_ms: 2_000 + at }))
  await kysely.insertInto('job_run').values(runs).execute()
}
