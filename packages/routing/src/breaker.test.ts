import { describe, expect, test } from 'vitest'
import type { Standing } from './health.ts'
import { LANE, OTHER_KEY, OTHER_MODEL, restOf, watchLanes } from './watch-lanes.ts'

describe('a lane that fails', () => {
  test('ten times in a row rests at once', () => {
    const world = watchLanes()
    world.calls(9, 'provider')
    expect(world.standing().kind).toBe('ready')
    expect(world.call('provider')).toEqual({ ...LANE, key: '', cause: 'failing', until: world.now + 2_000 })
  })

  test('with one key rests with all of them, and other models do not', () => {
    const world = watchLanes()
    for (let n = 0; n < 10; n++) world.call('provider', { ...LANE, key: `key ${n}` })
    expect(world.standing(OTHER_KEY)).toMatchObject({ kind: 'resting', cause: 'failing' })
    expect(world.standing(OTHER_MODEL).kind).toBe('ready')
  })

  test('five times in a row over a second rests', () => {
    const world = watchLanes()
    world.calls(4, 'provider')
    world.now += 1_000
    expect(world.call('provider')).toMatchObject({ cause: 'failing' })
  })

  test('half of ten calls rests, though never many in a row', () => {
    const world = watchLanes()
    for (let n = 0; n < 4; n++) {
      world.call('answered')
      world.call('provider')
    }
    world.call('answered')
    expect(world.standing().kind).toBe('ready')
    expect(world.call('provider')).toMatchObject({ cause: 'failing' })
  })

  test('in mid-stream, each time, rests: that a first byte came is not enough', () => {
    const world = watchLanes()
    for (let n = 0; n < 10; n++) {
      const call = world.begin()
      call.answered(50, world.now)
      call.end('provider', world.now)
    }
    expect(world.standing()).toMatchObject({ kind: 'resting', cause: 'failing' })
  })

  test('is not held to failures of half a minute ago', () => {
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

  test.each(['request', 'setup', 'stopped'] as const)('is no such lane when the calls end by %s', (cause) => {
    const world = watchLanes()
    world.calls(50, cause)
    expect(world.standing()).toEqual({ kind: 'ready', worth: 1, share: 1, open: 0 })
  })

  test('now and then is worth less than one that does not', () => {
    const world = watchLanes()
    world.calls(18, 'answered')
    world.calls(2, 'provider')
    expect(world.standing()).toMatchObject({ kind: 'ready' })
    const { worth } = world.standing() as Extract<Standing, { kind: 'ready' }>
    expect(worth).toBeCloseTo((22 / 24) ** 2, 5)
  })
})

describe('after a rest for failures', () => {
  /** At the end of its first rest. */
  function rested() {
    const world = watchLanes()
    world.calls(10, 'provider')
    world.outlast()
    return world
  }

  test('one call may try the lane, and all others find it taken', () => {
    const world = rested()
    expect(world.standing()).toEqual({ kind: 'probe' })
    world.begin()
    expect(world.standing()).toEqual({ kind: 'resting', cause: 'failing', until: world.now + 30_000, isProbed: true })
  })

  test('the first byte of the probe is enough, and load comes back within 20 seconds', () => {
    const world = rested()
    world.begin().answered(300, world.now)
    expect(world.standing()).toMatchObject({ kind: 'ready', worth: 1, share: 0.1 })
    world.now += 10_000
    expect(world.standing()).toMatchObject({ share: 0.55 })
    world.now += 10_000
    expect(world.standing()).toMatchObject({ share: 1 })
  })

  test('a probe that fails doubles the rest, up to a minute', () => {
    const world = rested()
    const rests = Array.from({ length: 6 }, () => {
      expect(world.call('provider')).toMatchObject({ cause: 'failing' })
      const before = world.now
      world.outlast()
      return world.now - before
    })
    expect(rests).toEqual([4_000, 8_000, 16_000, 32_000, 60_000, 60_000])
  })

  test('a probe that says nothing of the lane leaves its place to the next', () => {
    const world = rested()
    world.call('stopped')
    expect(world.standing()).toEqual({ kind: 'probe' })
  })

  test('a probe that never ends holds its place for 30 seconds', () => {
    const world = rested()
    const stuck = world.begin()
    world.now += 30_000
    expect(world.standing()).toEqual({ kind: 'probe' })
    world.begin().answered(100, world.now)
    stuck.end('provider', world.now)
    expect(world.standing().kind).toBe('ready')
  })

  test('calls from before it, which fail late, are not held against the lane', () => {
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

  test('a call that was made all the same, and answered, ends the rest before its time', () => {
    const world = watchLanes()
    world.calls(10, 'provider')
    const sentAnyway = world.begin()
    world.now += 500
    sentAnyway.answered(500, world.now)
    expect(world.standing()).toMatchObject({ kind: 'ready', share: 0.1 })
  })

  test('a rest that another replica adds takes the place of the probe away', () => {
    const world = rested()
    world.begin()
    world.health.adopt({ ...LANE, key: '', cause: 'failing', until: world.now + 5_000 })
    world.now += 5_000
    expect(world.standing()).toEqual({ kind: 'probe' })
  })

  test('a lane must do well for as long as it last rested before a rest is short again', () => {
    const world = rested()
    for (let n = 0; n < 5; n++) {
      world.call('provider')
      world.outlast()
    }
    world.call('answered')
    world.now += 59_000
    world.calls(10, 'provider')
    expect(restOf(world.health, world.now)).toEqual({ cause: 'failing', ms: 60_000 })
    world.outlast()
    world.call('answered')
    world.now += 60_000
    world.calls(10, 'provider')
    expect(restOf(world.health, world.now)).toEqual({ cause: 'failing', ms: 2_000 })
  })

  test('a lane that falls again soon rests twice as long, though its probe had passed', () => {
    const world = rested()
    world.call('answered')
    world.now += 5_000
    world.calls(10, 'provider')
    expect(restOf(world.health, world.now)).toEqual({ cause: 'failing', ms: 4_000 })
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

  test('gets less and less while calls wait, and rests when that goes on', () => {
    const world = answering()
    for (let n = 0; n < 5; n++) world.begin()
    world.now += 4_000
    expect(world.standing()).toMatchObject({ kind: 'ready', worth: 1, share: expect.closeTo(0.25, 5) })
    world.now += 6_000
    world.begin()
    expect(restOf(world.health, world.now)).toEqual({ cause: 'failing', ms: 2_000 })
  })

  test('is not one whose answers are told of when they are complete, though their first bytes come at once', () => {
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

  test('is not heard because somebody gives up, and rests once, however many call it all the same', () => {
    const world = answering()
    const waiting = Array.from({ length: 7 }, () => world.begin())
    world.now += 9_000
    waiting[6]?.end('stopped', world.now)
    world.now += 1_000
    world.begin()
    expect(restOf(world.health, world.now)).toEqual({ cause: 'failing', ms: 2_000 })
    world.now += 500
    world.begin()
    expect(restOf(world.health, world.now)).toEqual({ cause: 'failing', ms: 1_500 })
    world.now += 1_500
    expect(world.standing().kind).toBe('probe')
    world.begin()
    expect(world.standing()).toMatchObject({ isProbed: true })
  })

  test('is not one that takes long for a few calls, nor one that answers others', () => {
    const world = answering()
    world.begin()
    world.begin()
    world.now += 60_000
    world.begin()
    expect(world.standing()).toMatchObject({ kind: 'ready', worth: 1, share: 1 })
    for (let n = 0; n < 5; n++) world.begin()
    for (let n = 0; n < 60; n++) {
      world.now += 1_000
      world.begin().answered(1, world.now)
    }
    expect(world.standing()).toMatchObject({ kind: 'ready', worth: 1, share: 1 })
  })
})

test('a lane that answers more slowly than it used to is worth less, and one that always was slow is not', () => {
  const world = watchLanes()
  const answer = (firstByteMs: number) => {
    const call = world.begin()
    call.answered(firstByteMs, world.now)
    call.end('answered', world.now)
    world.now += 1_000
  }
  for (let n = 0; n < 2_000; n++) answer(5_000)
  expect(world.standing()).toMatchObject({ worth: 1 })
  for (let n = 0; n < 120; n++) answer(60_000)
  expect((world.standing() as { readonly worth: number }).worth).toBeLessThan(0.5)
})

test('lanes that fell together do not rise together', () => {
  const restOfChance = (random: number) => {
    const world = watchLanes(random)
    world.calls(10, 'provider')
    return restOf(world.health, world.now)
  }
  expect(restOfChance(0)).toEqual({ cause: 'failing', ms: 2_000 })
  expect(restOfChance(0.5)).toEqual({ cause: 'failing', ms: 1_750 })
  expect(restOfChance(0.999)).toEqual({ cause: 'failing', ms: 1_501 })
})
