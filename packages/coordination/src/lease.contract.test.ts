import { databaseEngines, openTestDatabase, type TestDatabase } from '@sluice/testkit/databases'
import { type ManualTimers, openManualTimers } from '@sluice/testkit/manual-timers'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Lease, takeLease } from './lease.ts'

const LIFE_MS = 60_000

describe.each(databaseEngines)('a lease on %s', (engine) => {
  let database: TestDatabase
  let timers: ManualTimers

  beforeAll(async () => {
    database = await openTestDatabase(engine)
  })
  beforeEach(async () => {
    await database.reset()
    timers = openManualTimers()
  })
  afterAll(() => database.close())

  const take = (owner: string, { job = 'job', clock = timers } = {}): Promise<Lease | undefined> =>
    takeLease({
      database,
      job,
      owner,
      lifeMs: LIFE_MS,
      now: () => clock.now(),
      every: (ms, task) => clock.every(ms, task),
    })
  const until = async (): Promise<number> =>
    (await database.kysely.selectFrom('lease').select('until_ms').executeTakeFirstOrThrow()).until_ms

  it('has one owner, also when many ask at once', async () => {
    const leases = await Promise.all(Array.from({ length: 20 }, (_, at) => take(`r${at}`)))
    expect(leases.filter((lease) => lease !== undefined)).toHaveLength(1)
  })

  it('is one per job', async () => {
    expect(await take('r1', { job: 'one' })).toBeDefined()
    expect(await take('r1', { job: 'other' })).toBeDefined()
  })

  it('can be taken again once it is given back, under a higher number', async () => {
    const first = await take('r1')
    await first?.release()
    const second = await take('r2')
    expect([first?.epoch, second?.epoch]).toEqual([1, 2])
  })

  it('is kept for as long as its owner lives', async () => {
    const lease = await take('r1')
    const taken = await until()
    await timers.advance(LIFE_MS / 3)
    await expect.poll(until).toBe(taken + LIFE_MS / 3)
    expect(lease?.signal.aborted).toBe(false)
    await lease?.release()
    expect(await until()).toBe(0)
  })

  it('passes on when its owner is silent, and the old owner learns of it', async () => {
    const sleeping = openManualTimers(timers.now())
    const old = await take('r1', { clock: sleeping })
    await timers.advance(LIFE_MS - 1)
    expect(await take('r2')).toBeUndefined()
    await timers.advance(1)
    const next = await take('r2')
    expect(next?.epoch).toBe(2)
    await sleeping.sleep(LIFE_MS)
    await expect.poll(() => old?.signal.aborted).toBe(true)
  })

  it('is not given back by an owner that has lost it', async () => {
    const sleeping = openManualTimers(timers.now())
    const old = await take('r1', { clock: sleeping })
    await timers.advance(LIFE_MS)
    const next = await take('r2')
    await old?.release()
    expect(await take('r3')).toBeUndefined()
    expect(next?.signal.aborted).toBe(false)
  })
})
