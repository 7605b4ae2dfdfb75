import { describe, expect, test } from 'vitest'
import type { Standing } from './health.ts'
import { LANE, OTHER_KEY, OTHER_MODEL, cooldownOf, watchLanes } from './watch-lanes.ts'

describe('a lane that fails', () => {
  test('ten times in a row cools down at once', () => {
    const world = watchLanes()
    world.calls(9, 'provider')
    expect(world.standing().kind).toBe('ready')
    expect(world.call('provider')).toEqual({ ...LANE, key: '', cause: 'failing', until: world.now + 2_000 })
  })

  test('with one key cools down with all of them, and other models do not', () => {
    const world = watchLanes()
    for (let n = 0; n < 10; n++) world.call('provider', { ...LANE, key: `key ${n}` })
    expect(world.standing(OTHER_KEY)).toMatchObject({ kind: 'resting', cause: 'failing' })
    expect(world.standing(OTHER_MODEL).kind).toBe('ready')
  })

  test('five times in a row over a second cools down', () => {
    const world = watchLanes()
    world.calls(4, 'provider')
    world.now += 1_000
    expect(world.call('provider')).toMatchObject({ cause: 'failing' })
  })

  test('half of ten calls cools down, though never many in a row', () => {
    const world = watchLanes()
    for (let n = 0; n < 4; n++) {
      world.call('answered')
      world.call('provider')
    }
    world.call('answered')
    expect(world.standing().kind).toBe('ready')
    expect(world.call('provider')).toMatchObject({ cause: 'failing' })
  })

  test('in mid-stream, each time, cools down: that a first byte came is not enough', () => {
    const world = watchLanes()
    for (let n = 0; n < 10; n++) {
      const call = world.begin()
      call.answered(50, world.now)
      call.end('provider', world.now)
    }
    expect(world.standing()).toMatchObject({ kind: 'resting', cause: 'failing' })
  })

  test('is not blamed for failures of half a minute ago', () => {
    const world = watchLanes()
    for (let n = 0; n < 4; n++) {
      world.call('answered')
      world.call('provider')
    }
    world.now += 30_000
    world.call('answered')
    world.call('provider')
    expect(world.standing().kind).toBe('ready')
  })

  test.each(['request', 'setup', 'stopped'] as const)('is not counted as one when its calls end by %s', (cause) => {
    const world = watchLanes()
    world.calls(50, cause)
    expect(world.standing()).toEqual({ kind: 'ready', score: 1, share: 1, open: 0 })
  })

  test('now and then scores lower than one that does not', () => {
    const world = watchLanes()
    world.calls(18, 'answered')
    world.calls(2, 'provider')
    expect(world.standing()).toMatchObject({ kind: 'ready' })
    const { score } = world.standing() as Extract<Standing, { kind: 'ready' }>
    expect(score).toBeCloseTo((22 / 24) ** 2, 5)
  })
})

describe('after a cooldown for failures', () => {
  /** At the end of its first cooldown. */
  function cooledDown() {
    const world = watchLanes()
    world.calls(10, 'provider')
    world.outlast()
    return world
  }

  test('one call may try the lane, and all others find it taken', () => {
    const world = cooledDown()
    expect(world.standing()).toEqual({ kind: 'probe' })
    world.begin()
    expect(world.standing()).toEqual({ kind: 'resting', cause: 'failing', until: world.now + 30_000, hasTrial: true })
  })

  test('the first byte of the trial is enough, and load comes back within 20 seconds', () => {
    const world = cooledDown()
    world.begin().answered(300, world.now)
    expect(world.standing()).toMatchObject({ kind: 'ready', score: 1, share: 0.1 })
    world.now += 10_000
    expect(world.standing()).toMatchObject({ share: 0.55 })
    world.now += 10_000
    expect(world.standing()).toMatchObject({ share: 1 })
  })

  test('a trial that fails doubles the cooldown, up to a minute', () => {
    const world = cooledDown()
    const cooldowns = Array.from({ length: 6 }, () => {
      expect(world.call('provider')).toMatchObject({ cause: 'failing' })
      const before = world.now
      world.outlast()
      return world.now - before
    })
    expect(cooldowns).toEqual([4_000, 8_000, 16_000, 32_000, 60_000, 60_000])
  })

  test('a trial that says nothing about the lane leaves its slot to the next', () => {
    const world = cooledDown()
    world.call('stopped')
    expect(world.standing()).toEqual({ kind: 'probe' })
  })

  test('a trial that never ends holds its slot for 30 seconds', () => {
    const world = cooledDown()
    const stuck = world.begin()
    world.now += 30_000
    expect(world.standing()).toEqual({ kind: 'probe' })
    world.begin().answered(100, world.now)
    stuck.end('provider', world.now)
    expect(world.standing().kind).toBe('ready')
  })

  test('calls from before it that fail late are not counted against the lane', () => {
    const world = watchLanes()
    const late = Array.from({ length: 50 }, () => world.begin())
    world.calls(10, 'provider')
    world.outlast()
    world.begin().answered(300, world.now)
    for (const call of late) expect(call.end('provider', world.now)).toBeUndefined()
    expect(world.standing().kind).toBe('ready')
  })

  test('late failures do not add to those that count', () => {
    const world = watchLanes()
    const late = Array.from({ length: 9 }, () => world.begin())
    world.calls(10, 'provider')
    world.outlast()
    world.begin().answered(300, world.now)
    for (const call of late) call.end('provider', world.now)
    world.call('provider')
    expect(world.standing().kind).toBe('ready')
    expect(world.health.views(world.now)).toMatchObject([{ failureRate: 1, failed: 20 }])
  })

  test('a call that was made anyway, and answered, ends the cooldown early', () => {
    const world = watchLanes()
    world.calls(10, 'provider')
    const sentAnyway = world.begin()
    world.now += 500
    sentAnyway.answered(500, world.now)
    expect(world.standing()).toMatchObject({ kind: 'ready', share: 0.1 })
  })

  test('a cooldown that another replica adds takes the slot of the trial away', () => {
    const world = cooledDown()
    world.begin()
    world.health.adopt({ ...LANE, key: '', cause: 'failing', until: world.now + 5_000 })
    world.now += 5_000
    expect(world.standing()).toEqual({ kind: 'probe' })
  })

  test('a lane must do well for as long as its last cooldown before a cooldown is short again', () => {
    const world = cooledDown()
    for (let n = 0; n < 5; n++) {
      world.call('provider')
      world.outlast()
    }
    world.call('answered')
    world.now += 59_000
    world.calls(10, 'provider')
    expect(cooldownOf(world.health, world.now)).toEqual({ cause: 'failing', ms: 60_000 })
    world.outlast()
    world.call('answered')
    world.now += 60_000
    world.calls(10, 'provider')
    expect(cooldownOf(world.health, world.now)).toEqual({ cause: 'failing', ms: 2_000 })
  })

  test('a lane that falls again soon cools down twice as long, though its trial had passed', () => {
    const world = cooledDown()
    world.call('answered')
    world.now += 5_000
    world.calls(10, 'provider')
    expect(cooldownOf(world.health, world.now)).toEqual({ cause: 'failing', ms: 4_000 })
  })
})

describe('a provider that says nothing', () => {
  function answering() {
    const world = watchLanes()
    for (let n = 0; n < 10; n++) {
      const call = world.begin()
      world.now += 500
      call.answered(500, world.now)
      call.end('answered', world.now)
    }
    return world
  }

  test('gets less and less while calls wait, and cools down when that goes on', () => {
    const world = answering()
    for (let n = 0; n < 5; n++) world.begin()
    world.now += 4_000
    expect(world.standing()).toMatchObject({ kind: 'ready', score: 1, share: expect.closeTo(0.25, 5) })
    world.now += 6_000
    world.begin()
    expect(cooldownOf(world.health, world.now)).toEqual({ cause: 'failing', ms: 2_000 })
  })

  test('is not one whose answers are reported only when complete, though their first bytes arrive at once', () => {
    const world = watchLanes()
    for (let n = 0; n < 10; n++) {
      const call = world.begin()
      world.now += 20_000
      call.answered(1, world.now)
      call.end('answered', world.now)
    }
    for (let n = 0; n < 9; n++) world.begin()
    world.now += 30_000
    world.begin()
    expect(world.standing()).toMatchObject({ kind: 'ready', share: 1 })
  })

  test('does not count as heard because a caller gives up, and cools down once, however many calls are still made', () => {
    const world = answering()
    const waiting = Array.from({ length: 7 }, () => world.begin())
    world.now += 9_000
    waiting[6]?.end('stopped', world.now)
    world.now += 1_000
    world.begin()
    expect(cooldownOf(world.health, world.now)).toEqual({ cause: 'failing', ms: 2_000 })
    world.now += 500
    world.begin()
    expect(cooldownOf(world.health, world.now)).toEqual({ cause: 'failing', ms: 1_500 })
    world.now += 1_500
    expect(world.standing().kind).toBe('probe')
    world.begin()
    expect(world.standing()).toMatchObject({ hasTrial: true })
  })

  test('is not one that takes long for a few calls, nor one that answers others', () => {
    const world = answering()
    world.begin()
    world.begin()
    world.now += 60_000
    world.begin()
    expect(world.standing()).toMatchObject({ kind: 'ready', score: 1, share: 1 })
    for (let n = 0; n < 5; n++) world.begin()
    for (let n = 0; n < 60; n++) {
      world.now += 1_000
      world.begin().answered(1, world.now)
    }
    expect(world.standing()).toMatchObject({ kind: 'ready', score: 1, share: 1 })
  })
})

test('a lane that answers more slowly than it used to scores lower, and one that was always slow does not', () => {
  const world = watchLanes()
  const answer = (firstByteMs: number) => {
    const call = world.begin()
    call.answered(firstByteMs, world.now)
    call.end('answered', world.now)
    world.now += 1_000
  }
  for (let n = 0; n < 2_000; n++) answer(5_000)
  expect(world.standing()).toMatchObject({ score: 1 })
  for (let n = 0; n < 120; n++) answer(60_000)
  expect((world.standing() as { readonly score: number }).score).toBeLessThan(0.5)
})

test('lanes that fell together do not rise together', () => {
  const restOfChance = (random: number) => {
    const world = watchLanes(random)
    world.calls(10, 'provider')
    return cooldownOf(world.health, world.now)
  }
  expect(restOfChance(0)).toEqual({ cause: 'failing', ms: 2_000 })
  expect(restOfChance(0.5)).toEqual({ cause: 'failing', ms: 1_750 })
  expect(restOfChance(0.999)).toEqual({ cause: 'failing', ms: 1_501 })
})
