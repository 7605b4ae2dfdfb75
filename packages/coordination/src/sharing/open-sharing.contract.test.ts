// @module-tag postgres
import { createHealth } from '@sluice/routing/lane-health'
import { bumpVersion, readVersions } from '@sluice/store/snapshots/versions'
import { openTestDatabase, type TestDatabase } from '@sluice/testkit/databases'
import { type LocalValkey, startLocalValkey } from '@sluice/testkit/local-valkey'
import { openManualTimers } from '@sluice/testkit/manual-timers'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openValkey } from '../engines/valkey.ts'
import { openVersionWatch } from '../snapshot-versions.ts'
import { openSharing, type Sharing } from './open-sharing.ts'

const LANE = { channel: 7, key: 'abcdef012345', model: 'gpt' }
const CLAIM = { key: 'token:1', rule: { limit: 12, periodMs: 1_000_000_000 }, cost: 1 }

let valkey: LocalValkey
let database: TestDatabase
let ends: (() => Promise<void>)[]
let errors: unknown[]

beforeAll(async () => {
  ;[valkey, database] = await Promise.all([startLocalValkey(), openTestDatabase('postgres')])
})
beforeEach(async () => {
  ends = []
  errors = []
  await database.reset()
})
afterEach(async () => {
  for (const end of ends) await end()
  expect(errors).toEqual([])
})
afterAll(async () => {
  await Promise.all([valkey.stop(), database.close()])
})

/** A replica that never polls: everything it learns arrived through Valkey. */
const open = async (replica: string, { on = database, valkeyUrl = valkey.url } = {}): Promise<Sharing> => {
  const timers = openManualTimers()
  const watch = openVersionWatch({
    read: () => readVersions(on.kysely),
    known: await readVersions(on.kysely),
    pollMs: 600_000,
    random: () => 0,
    onError: (error) => errors.push(error),
  })
  const sharing = await openSharing({
    database: on,
    replica,
    valkeyUrl,
    health: createHealth({ capacity: 100, random: () => 0 }),
    versions: watch,
    capacity: 1_000,
    now: Date.now,
    random: () => 0,
    every: (ms, task) => timers.every(ms, task),
    onValkeyUp: () => {},
    onValkeyDown: () => {},
    onError: (error) => errors.push(error),
  })
  ends.push(async () => {
    await sharing.close()
    await watch.close()
  })
  return sharing
}
const two = async (): Promise<readonly [Sharing, Sharing]> => {
  const both = [await open('r1'), await open('r2')] as const
  await expect.poll(() => both.every((each) => each.valkey?.usable)).toBe(true)
  return both
}
const isCoolingDown = (sharing: Sharing): boolean => sharing.health.standing(LANE, Date.now()).kind === 'resting'

describe('replicas with Valkey', () => {
  it('leave a lane alone, and forget it, as soon as one of them says so', async () => {
    const [one, other] = await two()
    // The other replica might not listen yet; reports are always in the database.
    await expect
      .poll(() => {
        one.reportCooldown({ ...LANE, cause: 'limited', until: Date.now() + 60_000 + 1_000 * Math.random() })
        return isCoolingDown(other)
      })
      .toBe(true)
    await expect
      .poll(() => {
        one.health.forget(LANE.channel)
        return isCoolingDown(other)
      })
      .toBe(false)
  })

  it('serve what one of them has changed', async () => {
    const [one, other] = await two()
    let reloads = 0
    other.versions.onChange('channels', async () => void (reloads += 1))
    await database.kysely.transaction().execute((trx) => bumpVersion(trx, 'channels'))
    await expect
      .poll(async () => {
        await one.versions.check()
        return reloads
      })
      .toBe(1)
  })

  it('look for changes when they start listening again', async () => {
    const [, other] = await two()
    let reloads = 0
    other.versions.onChange('tokens', async () => void (reloads += 1))
    await valkey.kill()
    await database.kysely.transaction().execute((trx) => bumpVersion(trx, 'tokens'))
    await valkey.restart()
    await expect.poll(() => reloads, { timeout: 5_000 }).toBe(1)
  })

  it('ignore what others send on the same server', async () => {
    const [, other] = await two()
    const stranger = await openValkey({
      url: valkey.url,
      scripts: {},
      random: () => 0,
      onUp: () => {},
      onDown: () => {},
    })
    ends.push(() => stranger.close())
    await expect.poll(() => stranger.usable).toBe(true)
    for (const text of ['', '{', 'null', '[1]', '["r9",1,7,"abcdef012345","gpt","failing",-5]', 'x'.repeat(10_000)]) {
      stranger.publish('lanes', text)
    }
    stranger.publish('lanes', '["r9",2,7,"abcdef012345","gpt","account",1e300]')
    stranger.publish('lanes', `["r9",3,8,"","","",1]`)
    await expect
      .poll(() => {
        stranger.publish('lanes', `["r9",4,7,"other","gpt","limited",${10 * 3_600_000}]`)
        return other.health.views(Date.now()).length
      })
      .toBe(1)
    const [view] = other.health.views(Date.now())
    const until = view?.standing.kind === 'resting' ? view.standing.until : 0
    expect(until - Date.now()).toBeLessThanOrEqual(600_000)
  })
})

describe('replicas without Valkey', () => {
  const alive = (...ids: string[]) =>
    database.kysely
      .insertInto('replica')
      .values(ids.map((id) => ({ id, heartbeat_ms: Date.now(), started_ms: Date.now(), dead: 0 })))
      .execute()

  it('each enforce their share of a limit', async () => {
    await alive('r1', 'r2', 'r3')
    const one = await open('r1', { valkeyUrl: '' })
    expect(one.replicas.count()).toBe(3)
    const decisions = await Promise.all(Array.from({ length: 12 }, async () => await one.limits.take([CLAIM])))
    expect(decisions.filter(([decision]) => decision?.allowed)).toHaveLength(4)
  })

  it('do not count replicas that are silent or given up', async () => {
    await alive('r1', 'r2')
    const gone = { heartbeat_ms: Date.now() - 45_000, started_ms: 0, dead: 0 }
    await database.kysely
      .insertInto('replica')
      .values([
        { id: 'silent', ...gone },
        { id: 'given up', ...gone, heartbeat_ms: Date.now(), dead: 1 },
      ])
      .execute()
    expect((await open('r1', { valkeyUrl: '' })).replicas.count()).toBe(2)
  })
})

it('a process on SQLite is alone, and does not use Valkey', async () => {
  const sqlite = await openTestDatabase('sqlite')
  ends.push(() => sqlite.close())
  const alone = await open('r1', { on: sqlite })
  const decisions = await Promise.all(Array.from({ length: 13 }, async () => await alone.limits.take([CLAIM])))
  expect(decisions.filter(([decision]) => decision?.allowed)).toHaveLength(12)
  expect([alone.replicas.count(), alone.valkey]).toEqual([1, undefined])
})
