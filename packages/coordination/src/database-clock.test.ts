import { describe, expect, it } from 'vitest'
import { type DatabaseClock, openDatabaseClock } from './database-clock.ts'

const HOUR_MS = 3_600_000
const NOON = Date.UTC(2026, 10, 22, 12)

describe('the time that replicas share', { tags: 'S45' }, () => {
  const open = async (aheadMs: number) => {
    const world = { time: NOON, aheadMs, wayMs: 0, isAway: false, look: () => {}, reported: [] as number[], errors: 0 }
    const clock: DatabaseClock = await openDatabaseClock({
      read: async () => {
        if (world.isAway) throw new Error('the database is away')
        world.time += world.wayMs / 2
        const answer = world.time
        world.time += world.wayMs / 2
        return answer
      },
      own: () => world.time + world.aheadMs,
      steady: () => world.time,
      every: (_ms, task) => {
        world.look = task
        return () => {}
      },
      onDiffers: (ms) => world.reported.push(ms),
      onError: () => (world.errors += 1),
    })
    const off = () => clock.now() - world.time
    const look = async () => {
      world.look()
      await new Promise((resolve) => setImmediate(resolve))
    }
    return { world, off, look }
  }

  it.each([HOUR_MS, -HOUR_MS, 400 * 24 * HOUR_MS, 3_000])(
    'is right where the machine’s clock is %d ms ahead',
    async (ahead) => {
      const { world, off } = await open(ahead)
      expect([off(), world.reported]).toEqual([0, [ahead]])
      world.time += 5_000
      expect(off()).toBe(0)
    },
  )

  it('is the machine’s clock while that is right, however long the round trip to the database takes', async () => {
    const { world, off, look } = await open(1_500)
    expect(off()).toBe(1_500)
    world.wayMs = 1_900
    await look()
    expect([off(), world.reported]).toEqual([1_500, []])
  })

  it('follows the machine’s clock when it is changed, and when it is right again', async () => {
    const { world, off, look } = await open(0)
    world.aheadMs = HOUR_MS
    await look()
    expect(off()).toBe(0)
    world.aheadMs = HOUR_MS + 100
    await look()
    expect(world.reported).toEqual([HOUR_MS])
    world.aheadMs = 0
    await look()
    expect([off(), world.reported]).toEqual([0, [HOUR_MS, 0]])
  })

  it('stays as it was while the database is away, or answers late', async () => {
    const { world, off, look } = await open(HOUR_MS)
    world.isAway = true
    await look()
    expect([off(), world.errors]).toEqual([0, 1])
    world.isAway = false
    world.wayMs = 30_000
    await look()
    expect([off(), world.reported]).toEqual([0, [HOUR_MS]])
  })
})
