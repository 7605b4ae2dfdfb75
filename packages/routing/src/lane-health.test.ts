import { describe, expect, test } from 'vitest'
import type { BegunCall, CallCause, Health, Standing } from './health.ts'
import { createHealth } from './lane-health.ts'

const START = 1_800_000_000_000
const LANE = { channel: 1, key: 'a1', model: 'm' }
const OTHER_MODEL = { ...LANE, model: 'n' }
const OTHER_KEY = { ...LANE, key: 'b2' }

/** A lane's health without chance in it, at a time that the test sets. */
function open(random = 0) {
  const health = createHealth({ capacity: 100, random: () => random })
  const world = {
    health,
    now: START,
    begin: (lane = LANE): BegunCall => health.begin(lane, world.now),
    /** One whole call. */
    call: (cause: CallCause, lane = LANE, retryAfterMs?: number) =>
      world.begin(lane).end(cause, world.now, retryAfterMs),
    calls: (count: number, cause: CallCause, lane = LANE) => {
      for (let n = 0; n < count; n++) world.call(cause, lane)
    },
    standing: (lane = LANE): Standing => health.standing(lane, world.now),
    /** Goes to the end of the rest that the lane takes. */
    outlast: (lane = LANE) => {
      const standing = world.standing(lane)
      if (standing.kind !== 'resting') throw new Error(`${standing.kind}, not resting`)
      world.now = standing.until
    },
  }
  return world
}

const restOf = (health: Health, now: number, lane = LANE) => {
  const standing = health.standing(lane, now)
  return standing.kind === 'resting' ? { cause: standing.cause, ms: standing.until - now } : standing.kind
}

test('a lane that nobody has called is ready, and looking at it leaves no trace', () => {
  const { health, standing, now } = open()
  expect(standing()).toEqual({ kind: 'ready', worth: 1, share: 1, open: 0 })
  expect(health.views(now)).toEqual([])
})

describe('a provider that says "too many calls"', () => {
  test('is left alone for as long as it asks, by one model of one key', () => {
    const { health, call, now } = open()
    expect(call('limited', LANE, 3_500)).toEqual({ ...LANE, cause: 'limited', until: now + 3_500 })
    expect(restOf(health, now)).toEqual({ cause: 'limited', ms: 3_500 })
    expect(restOf(health, now, OTHER_MODEL)).toBe('ready')
    expect(restOf(health, now, OTHER_KEY)).toBe('ready')
    expect(health.standing(LANE, now + 3_500).kind).toBe('ready')
  })

  test.each([
    ['an hour', 3_600_000, 600_000],
    ['no number', Number.NaN, 1_000],
    ['nothing', 0, 1_000],
    ['the past', -5, 1_000],
    ['half a millisecond', 0.5, 1],
  ])('is believed within bounds when it asks for %s', (_, asked, rest) => {
    const { health, call, now } = open()
    call('limited', LANE, asked)
    expect(restOf(health, now)).toEqual({ cause: 'limited', ms: rest })
  })

  test('and not how long, rests one second, then twice as long each time up to a minute', () => {
    const world = open()
    const rests = Array.from({ length: 8 }, () => {
      world.call('limited')
      const before = world.now
      world.outlast()
      return world.now - before
    })
    expect(rests).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000])
  })

  test('begins anew with one second after a time without rests', () => {
    const world = open()
    world.call('limited')
    world.outlast()
    world.now += 10_000
    world.call('limited')
    expect(restOf(world.health, world.now)).toEqual({ cause: 'limited', ms: 1_000 })
  })

  test('to a hundred calls at once rests once', () => {
    const world = open()
    const calls = Array.from({ length: 100 }, () => world.begin())
    const rests = calls.map((call) => call.end('limited', world.now)).filter((rest) => rest !== undefined)
    expect(rests).toHaveLength(1)
    expect(restOf(world.health, world.now)).toEqual({ cause: 'limited', ms: 1_000 })
  })

  test('is heard again when it asks for more, and not when it asks for less', () => {
    const world = open()
    const [first, second, third] = [world.begin(), world.begin(), world.begin()]
    first.end('limited', world.now, 5_000)
    expect(second.end('limited', world.now, 2_000)).toBeUndefined()
    expect(third.end('limited', world.now, 9_000)?.until).toBe(world.now + 9_000)
  })

  test('takes its load again within the time it rested, and needs no probe', () => {
    const world = open()
    world.call('limited', LANE, 4_000)
    world.outlast()
    expect(world.standing()).toMatchObject({ kind: 'ready', share: 0.1 })
    world.now += 2_000
    expect(world.standing()).toMatchObject({ share: 0.55 })
    world.now += 2_000
    expect(world.standing()).toMatchObject({ share: 1 })
  })

  test('also while it fails is left alone as it asks', () => {
    const { health, call, now } = open()
    expect(call('provider', LANE, 7_000)).toMatchObject({ cause: 'limited', until: now + 7_000 })
    expect(restOf(health, now)).toEqual({ cause: 'limited', ms: 7_000 })
  })
})

describe('a key that is refused', () => {
  test('rests for all of its models, and other keys of the channel do not', () => {
    const { health, call, now } = open()
    expect(call('account')).toEqual({ ...LANE, model: '', cause: 'account', until: now + 30_000 })
    expect(restOf(health, now, OTHER_MODEL)).toEqual({ cause: 'account', ms: 30_000 })
    expect(restOf(health, now, OTHER_KEY)).toBe('ready')
  })

  test('is tried by one call after each rest, and rests twice as long each time, up to ten minutes', () => {
    const world = open()
    const rests = Array.from({ length: 7 }, () => {
      world.call('account')
      const before = world.now
      world.outlast(OTHER_MODEL)
      expect(world.standing().kind).toBe('probe')
      return (world.now - before) / 1_000
    })
    expect(rests).toEqual([30, 60, 120, 240, 480, 600, 600])
  })

  test('is free again for all of its models when a call of any passes', () => {
    const world = open()
    world.call('account')
    world.outlast()
    world.call('answered', OTHER_MODEL)
    expect(world.standing()).toMatchObject({ kind: 'ready', share: 0.1 })
  })
})

describe('a lane that fails', () => {
  test('ten times in a row rests at once', () => {
    const world = open()
    world.calls(9, 'provider')
    expect(world.standing().kind).toBe('ready')
    expect(world.call('provider')).toMatchObject({ cause: 'failing', until: world.now + 2_000 })
  })

  test('five times in a row over a second rests', () => {
    const world = open()
    world.calls(4, 'provider')
    world.now += 1_000
    expect(world.call('provider')).toMatchObject({ cause: 'failing' })
  })

  test('half of ten calls rests, though never many in a row', () => {
    const world = open()
    for (let n = 0; n < 4; n++) {
      world.call('answered')
      world.call('provider')
    }
    world.call('answered')
    expect(world.standing().kind).toBe('ready')
    expect(world.call('provider')).toMatchObject({ cause: 'failing' })
  })

  test('in mid-stream, each time, rests: that a first byte came is not enough', () => {
    const world = open()
    for (let n = 0; n < 10; n++) {
      const call = world.begin()
      call.answered(50, world.now)
      call.end('provider', world.now)
    }
    expect(world.standing()).toMatchObject({ kind: 'resting', cause: 'failing' })
  })

  test('is not held to failures of half a minute ago', () => {
    const world = open()
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
    const world = open()
    world.calls(50, cause)
    expect(world.standing()).toEqual({ kind: 'ready', worth: 1, share: 1, open: 0 })
  })

  test('now and then is worth less than one that does not', () => {
    const world = open()
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
    const world = open()
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
    const world = open()
    const late = Array.from({ length: 50 }, () => world.begin())
    world.calls(10, 'provider')
    world.outlast()
    world.begin().answered(300, world.now)
    for (const call of late) expect(call.end('provider', world.now)).toBeUndefined()
    expect(world.standing().kind).toBe('ready')
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
    const world = open()
    for (let n = 0; n < 10; n++) {
      const call = world.begin()
      call.answered(500, world.now)
      call.end('answered', world.now)
    }
    return world
  }

  test('is worth less and less while calls wait, and rests when that goes on', () => {
    const world = answering()
    for (let n = 0; n < 5; n++) world.begin()
    world.now += 4_000
    expect(world.standing()).toMatchObject({ kind: 'ready' })
    expect((world.standing() as { readonly worth: number }).worth).toBeCloseTo(0.25, 5)
    world.now += 6_000
    world.begin()
    expect(restOf(world.health, world.now)).toEqual({ cause: 'failing', ms: 2_000 })
  })

  test('is not one that takes long for a few calls, nor one that answers others', () => {
    const world = answering()
    world.begin()
    world.begin()
    world.now += 60_000
    world.begin()
    expect(world.standing()).toMatchObject({ kind: 'ready', worth: 1 })
    for (let n = 0; n < 5; n++) world.begin()
    world.now += 60_000
    world.begin().answered(1, world.now)
    expect(world.standing()).toMatchObject({ kind: 'ready', worth: 1 })
  })
})

test('a lane that answers more slowly than it used to is worth less, and one that always was slow is not', () => {
  const world = open()
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
    const world = open(random)
    world.calls(10, 'provider')
    return restOf(world.health, world.now)
  }
  expect(restOfChance(0)).toEqual({ cause: 'failing', ms: 2_000 })
  expect(restOfChance(0.5)).toEqual({ cause: 'failing', ms: 1_750 })
  expect(restOfChance(0.999)).toEqual({ cause: 'failing', ms: 1_501 })
})

describe('what another replica tells', () => {
  test('makes the lane rest here too, and never for less than is known here', () => {
    const { health, now } = open()
    for (const cause of ['limited', 'failing'] as const) {
      const lane = { ...LANE, key: cause }
      health.adopt({ ...lane, cause, until: now + 5_000 })
      health.adopt({ ...lane, cause, until: now + 1_000 })
      expect(restOf(health, now, lane)).toEqual({ cause, ms: 5_000 })
    }
  })

  test('of a refused key makes all of its models rest, also such as are called later', () => {
    const { health, now } = open()
    health.adopt({ ...LANE, model: '', cause: 'account', until: now + 30_000 })
    expect(restOf(health, now)).toEqual({ cause: 'account', ms: 30_000 })
    expect(restOf(health, now, OTHER_MODEL)).toEqual({ cause: 'account', ms: 30_000 })
  })
})

test('a channel that is forgotten begins with a clean record, whatever its calls under way say later', () => {
  const world = open()
  const late = world.begin(OTHER_KEY)
  world.calls(10, 'provider')
  world.call('account', OTHER_MODEL)
  const elsewhere = { ...LANE, channel: 2 }
  world.call('limited', elsewhere)
  world.health.forget(1)
  expect(world.standing()).toEqual({ kind: 'ready', worth: 1, share: 1, open: 0 })
  expect(world.standing(OTHER_MODEL)).toMatchObject({ kind: 'ready', share: 1 })
  expect(world.standing(OTHER_KEY)).toMatchObject({ open: 1 })
  late.end('account', world.now)
  expect(world.standing(OTHER_KEY).kind).toBe('ready')
  expect(world.standing(elsewhere).kind).toBe('resting')
})

test('what is known of a lane can be shown', () => {
  const world = open()
  const call = world.begin()
  call.answered(420, world.now)
  call.end('answered', world.now)
  world.call('provider')
  world.begin()
  expect(world.health.views(world.now)).toEqual([
    { ...LANE, standing: world.standing(), failureRate: 0.5, firstByteMs: 420, open: 1, answered: 1, failed: 1 },
  ])
  world.now += 3_600_000
  expect(world.health.views(world.now)).toMatchObject([{ failureRate: 0, firstByteMs: undefined, answered: 1 }])
})
