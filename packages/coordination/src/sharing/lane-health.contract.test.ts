import type { Health } from '@sluice/routing/health'
import { createHealth } from '@sluice/routing/lane-health'
import { databaseEngines, openTestDatabase, type TestDatabase } from '@sluice/testkit/databases'
import { type ManualTimers, openManualTimers } from '@sluice/testkit/manual-timers'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type SharedHealth, openSharedHealth } from './lane-health.ts'

const LANE = { channel: 7, key: 'abcdef012345', model: 'gpt' }

describe.each(databaseEngines)('health that replicas share through rows on %s', (engine) => {
  let database: TestDatabase
  let opened: SharedHealth[]
  let errors: unknown[]

  beforeAll(async () => {
    database = await openTestDatabase(engine)
  })
  beforeEach(async () => {
    await database.reset()
    opened = []
    errors = []
  })
  afterEach(async () => {
    await Promise.all(opened.map((each) => each.close()))
    expect(errors).toEqual([])
  })
  afterAll(() => database.close())

  interface Replica {
    readonly own: Health
    readonly shared: SharedHealth
    readonly timers: ManualTimers
    isCoolingDown(model?: string): boolean
    look(): Promise<void>
  }

  /** `ahead`: its clock is this many ms ahead. */
  const replica = (name: string, ahead = 0): Replica => {
    const timers = openManualTimers(Date.now() + ahead)
    const own = createHealth({ capacity: 100, random: () => 0 })
    const shared = openSharedHealth({
      health: own,
      database,
      replica: name,
      now: timers.now,
      every: (ms, task) => timers.every(ms, task),
      onError: (error) => errors.push(error),
    })
    opened.push(shared)
    return {
      own,
      shared,
      timers,
      isCoolingDown: (model = LANE.model) => own.standing({ ...LANE, model }, timers.now()).kind === 'resting',
      look: () => timers.advance(1_000),
    }
  }
  /** Polls until the condition holds: a poll waits for a real database, and does nothing while another is in progress. */
  const soon = (what: () => boolean | Promise<boolean>, ...replicas: readonly Replica[]): Promise<void> =>
    expect
      .poll(
        async () => {
          for (const each of replicas) await each.look()
          return await what()
        },
        { timeout: 10_000, interval: 10 },
      )
      .toBe(true)
  const rows = async (): Promise<number> =>
    (await database.kysely.selectFrom('channel_rest').select('number').execute()).length

  it('leaves a lane alone that failed at another replica', async () => {
    const [one, other] = [replica('r1'), replica('r2')]
    one.shared.reportCooldown({ ...LANE, cause: 'account', model: '', until: one.timers.now() + 300_000 })
    await soon(() => other.isCoolingDown(), one, other)
    expect(other.isCoolingDown('another model of the key')).toBe(true)
  })

  it('reports how long, not until when: clocks of replicas can differ', async () => {
    const [one, late] = [replica('r1'), replica('r2', -3_600_000)]
    one.shared.reportCooldown({ ...LANE, cause: 'limited', until: one.timers.now() + 300_000 })
    await soon(() => late.isCoolingDown(), one, late)
    const standing = late.own.standing(LANE, late.timers.now())
    const left = standing.kind === 'resting' ? standing.until - late.timers.now() : 0
    expect(left).toBeGreaterThan(200_000)
    expect(left).toBeLessThanOrEqual(300_000)
  })

  it('a replica that starts later learns what still applies', async () => {
    const one = replica('r1')
    one.shared.reportCooldown({ ...LANE, cause: 'failing', until: one.timers.now() + 300_000 })
    await soon(async () => (await rows()) === 1, one)
    const later = replica('r2')
    await soon(() => later.isCoolingDown(), later)
  })

  it('forgets in all replicas what was held against a channel, and does not report it later', async () => {
    const [one, other] = [replica('r1'), replica('r2')]
    one.shared.reportCooldown({ ...LANE, cause: 'account', model: '', until: one.timers.now() + 300_000 })
    await soon(() => other.isCoolingDown(), one, other)
    other.shared.health.forget(LANE.channel)
    expect(other.isCoolingDown()).toBe(false)
    one.own.adopt({ ...LANE, cause: 'account', model: '', until: one.timers.now() + 300_000 })
    await soon(() => !one.isCoolingDown(), one, other)
    const later = replica('r3')
    one.shared.reportCooldown({
      ...LANE,
      model: 'a sign of having looked',
      cause: 'limited',
      until: one.timers.now() + 300_000,
    })
    await soon(() => later.isCoolingDown('a sign of having looked'), one, later)
    expect(later.isCoolingDown()).toBe(false)
  })

  it('does not publish what another replica has cleared before that', async () => {
    const [one, other, third] = [replica('r1'), replica('r2'), replica('r3')]
    const until = one.timers.now() + 300_000
    const sign = { ...LANE, channel: 8, model: 'a sign of having looked' }
    one.shared.reportCooldown({ ...LANE, cause: 'account', model: '', until })
    one.shared.reportCooldown({ ...sign, cause: 'limited', until })
    other.shared.health.forget(LANE.channel)
    await soon(async () => (await rows()) === 1, other)
    await soon(() => third.own.standing(sign, third.timers.now()).kind === 'resting', one, third)
    expect(third.isCoolingDown()).toBe(false)
  })

  it('counts the same news once: a lane that has recovered since stays recovered', async () => {
    const [one, other] = [replica('r1'), replica('r2')]
    one.shared.reportCooldown({ ...LANE, cause: 'account', model: '', until: one.timers.now() + 300_000 })
    await soon(() => other.isCoolingDown(), one, other)
    other.own.forget(LANE.channel)
    one.shared.reportCooldown({
      ...LANE,
      model: 'a sign of having looked',
      cause: 'limited',
      until: one.timers.now() + 300_000,
    })
    await soon(() => other.isCoolingDown('a sign of having looked'), one, other)
    expect(other.isCoolingDown()).toBe(false)
  })

  it('does not repeat news that it has received', async () => {
    const [one, other] = [replica('r1'), replica('r2')]
    one.shared.reportCooldown({ ...LANE, cause: 'failing', until: one.timers.now() + 300_000 })
    await soon(() => other.isCoolingDown(), one, other)
    await other.shared.close()
    expect(await rows()).toBe(1)
  })

  it('writes a lane once, however often it is refused at the same moment', async () => {
    const one = replica('r1')
    for (let at = 0; at < 500; at++) {
      one.shared.reportCooldown({ ...LANE, cause: 'limited', until: one.timers.now() + 60_000 + at / 10 })
    }
    await soon(async () => (await rows()) > 0, one)
    await one.shared.close()
    expect(await rows()).toBe(1)
  })

  it('writes at most a hundred rows a second, and the remaining ones in the next', async () => {
    const one = replica('r1')
    for (let at = 0; at < 150; at++) {
      one.shared.reportCooldown({ ...LANE, model: `m${at}`, cause: 'limited', until: one.timers.now() + 600_000 })
    }
    await one.look()
    await soon(async () => (await rows()) > 0)
    expect(await rows()).toBe(100)
    await soon(async () => (await rows()) === 150, one)
  })

  it('writes what is left when it ends', async () => {
    const one = replica('r1')
    one.shared.reportCooldown({ ...LANE, cause: 'limited', until: one.timers.now() + 60_000 })
    await one.shared.close()
    expect(await rows()).toBe(1)
  })

  it('sweeps what has expired', async () => {
    const one = replica('r1')
    await database.kysely
      .insertInto('channel_rest')
      .values({ ...rowOf('gone'), at_ms: 1, until_ms: 2 })
      .execute()
    await soon(async () => (await rows()) === 0, one)
  })

  it('ignores a cause that it does not know', async () => {
    const [one, other] = [replica('r1'), replica('r2')]
    await database.kysely
      .insertInto('channel_rest')
      .values({ ...rowOf('newer'), cause: 'of a later version', at_ms: Date.now(), until_ms: Date.now() + 1_000_000 })
      .execute()
    other.shared.reportCooldown({
      ...LANE,
      model: 'a sign of having looked',
      cause: 'limited',
      until: one.timers.now() + 300_000,
    })
    await soon(() => one.isCoolingDown('a sign of having looked'), one, other)
    expect(one.isCoolingDown()).toBe(false)
  })
})

const rowOf = (by: string) => ({
  replica: by,
  number: 1,
  channel_id: LANE.channel,
  key: LANE.key,
  model: LANE.model,
  cause: 'failing',
})
