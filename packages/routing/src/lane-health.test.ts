import { describe, expect, test } from 'vitest'
import { LANE, OTHER_KEY, OTHER_MODEL, cooldownOf, watchLanes } from './watch-lanes.ts'

test('a lane that was never called is ready, and looking at it leaves no trace', () => {
  const { health, standing, now } = watchLanes()
  expect(standing()).toEqual({ kind: 'ready', score: 1, share: 1, open: 0 })
  expect(health.views(now)).toEqual([])
})

describe('a provider that does not serve a model to a key', () => {
  test('is left alone for that model and that key alone, longer each time, and one call tries', () => {
    const world = watchLanes()
    const { health, call, outlast, standing } = world
    expect(call('unknown_model')).toEqual({ ...LANE, cause: 'unknown_model', until: world.now + 30_000 })
    expect(cooldownOf(health, world.now)).toEqual({ cause: 'unknown_model', ms: 30_000 })
    expect(cooldownOf(health, world.now, OTHER_MODEL)).toBe('ready')
    expect(cooldownOf(health, world.now, OTHER_KEY)).toBe('ready')
    outlast()
    expect(standing().kind).toBe('probe')
    call('unknown_model')
    expect(cooldownOf(health, world.now)).toEqual({ cause: 'unknown_model', ms: 60_000 })
    outlast()
    const trial = world.begin()
    expect(standing()).toMatchObject({ kind: 'resting', cause: 'unknown_model', hasTrial: true })
    trial.end('answered', world.now)
    expect(standing()).toMatchObject({ kind: 'ready', share: 0.1 })
  })

  test('is asked again at once when its channel is changed, and other replicas learn of it', () => {
    const world = watchLanes()
    world.call('unknown_model')
    world.health.forget(LANE.channel)
    expect(world.standing().kind).toBe('ready')
    world.health.adopt({ ...LANE, cause: 'unknown_model', until: world.now + 5_000 })
    expect(cooldownOf(world.health, world.now)).toEqual({ cause: 'unknown_model', ms: 5_000 })
    expect(cooldownOf(world.health, world.now, OTHER_MODEL)).toBe('ready')
  })
})

describe('a provider that says "too many calls"', () => {
  test('is left alone for as long as it asks, for one model of one key', () => {
    const { health, call, now } = watchLanes()
    expect(call('limited', LANE, 3_500)).toEqual({ ...LANE, cause: 'limited', until: now + 3_500 })
    expect(cooldownOf(health, now)).toEqual({ cause: 'limited', ms: 3_500 })
    expect(cooldownOf(health, now, OTHER_MODEL)).toBe('ready')
    expect(cooldownOf(health, now, OTHER_KEY)).toBe('ready')
    expect(health.standing(LANE, now + 3_500).kind).toBe('ready')
  })

  test.each([
    ['an hour', 3_600_000, 600_000],
    ['no number', Number.NaN, 1_000],
    ['nothing', 0, 1_000],
    ['the past', -5, 1_000],
    ['half a millisecond', 0.5, 1],
  ])('is believed within bounds when it asks for %s', (_, requests, cooldown) => {
    const { health, call, now } = watchLanes()
    call('limited', LANE, requests)
    expect(cooldownOf(health, now)).toEqual({ cause: 'limited', ms: cooldown })
  })

  test('but not for how long, cools down for one second, then twice as long each time up to a minute', () => {
    const world = watchLanes()
    const cooldowns = Array.from({ length: 8 }, () => {
      world.call('limited')
      const before = world.now
      world.outlast()
      return world.now - before
    })
    expect(cooldowns).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000])
  })

  test('starts again at one second after a time without cooldowns', () => {
    const world = watchLanes()
    world.call('limited')
    world.outlast()
    world.now += 10_000
    world.call('limited')
    expect(cooldownOf(world.health, world.now)).toEqual({ cause: 'limited', ms: 1_000 })
  })

  test('to a hundred calls at once cools down once', () => {
    const world = watchLanes()
    const calls = Array.from({ length: 100 }, () => world.begin())
    const cooldowns = calls.map((call) => call.end('limited', world.now)).filter((cooldown) => cooldown !== undefined)
    expect(cooldowns).toHaveLength(1)
    expect(cooldownOf(world.health, world.now)).toEqual({ cause: 'limited', ms: 1_000 })
  })

  test('is believed again when it asks for more, and not when it asks for less', () => {
    const world = watchLanes()
    const [first, second, third] = [world.begin(), world.begin(), world.begin()]
    first.end('limited', world.now, 5_000)
    expect(second.end('limited', world.now, 2_000)).toBeUndefined()
    expect(third.end('limited', world.now, 9_000)?.until).toBe(world.now + 9_000)
  })

  test('takes its load again within the length of its cooldown, and needs no trial', () => {
    const world = watchLanes()
    world.call('limited', LANE, 4_000)
    world.outlast()
    expect(world.standing()).toMatchObject({ kind: 'ready', share: 0.1 })
    world.now += 2_000
    expect(world.standing()).toMatchObject({ share: 0.55 })
    world.now += 2_000
    expect(world.standing()).toMatchObject({ share: 1 })
  })

  test('is left alone as it asks even while it fails', () => {
    const { health, call, now } = watchLanes()
    expect(call('provider', LANE, 7_000)).toMatchObject({ cause: 'limited', until: now + 7_000 })
    expect(cooldownOf(health, now)).toEqual({ cause: 'limited', ms: 7_000 })
  })
})

describe('a key that is refused', () => {
  test('cools down for all of its models, and other keys of the channel do not', () => {
    const { health, call, now } = watchLanes()
    expect(call('account')).toEqual({ ...LANE, model: '', cause: 'account', until: now + 30_000 })
    expect(cooldownOf(health, now, OTHER_MODEL)).toEqual({ cause: 'account', ms: 30_000 })
    expect(cooldownOf(health, now, OTHER_KEY)).toBe('ready')
  })

  test('is tried by one call after each cooldown, and cools down twice as long each time, up to ten minutes', () => {
    const world = watchLanes()
    const cooldowns = Array.from({ length: 7 }, () => {
      world.call('account')
      const before = world.now
      world.outlast(OTHER_MODEL)
      expect(world.standing().kind).toBe('probe')
      return (world.now - before) / 1_000
    })
    expect(cooldowns).toEqual([30, 60, 120, 240, 480, 600, 600])
  })

  test('is not free again because an earlier call is answered', () => {
    const world = watchLanes()
    const early = world.begin()
    world.call('account')
    world.outlast()
    early.answered(30_000, world.now)
    expect(world.standing()).toEqual({ kind: 'probe' })
  })

  test('is free again for all of its models when a call of any passes', () => {
    const world = watchLanes()
    world.call('account')
    world.outlast()
    world.call('answered', OTHER_MODEL)
    expect(world.standing()).toMatchObject({ kind: 'ready', share: 0.1 })
  })
})

describe('a provider that says how much of the account is used', () => {
  const used = (share: number, resetsAt: number) => [{ name: '5h', used: share, resetsAt }]
  const told = (share: number, waitMs: number, cause: 'answered' | 'limited' = 'answered', retryAfterMs?: number) => {
    const world = watchLanes()
    const call = world.begin()
    call.heard(used(share, world.now + waitMs), world.now)
    return { world, cooldown: call.end(cause, world.now, retryAfterMs) }
  }

  test('is left alone until the window is reset, as soon as it is used up, for one model of one key', () => {
    const { world, cooldown } = told(1, 90_000)
    expect(cooldown).toEqual({ ...LANE, cause: 'limited', until: world.now + 90_000 })
    expect(cooldownOf(world.health, world.now)).toEqual({ cause: 'limited', ms: 90_000 })
    expect(cooldownOf(world.health, world.now, OTHER_MODEL)).toBe('ready')
    expect(cooldownOf(world.health, world.now, OTHER_KEY)).toBe('ready')
    world.outlast()
    expect(world.standing().kind).toBe('ready')
  })

  test('is called on while anything is left, and when the window is over', () => {
    for (const [share, waitMs] of [
      [0.99, 90_000],
      [1, 0],
      [1, -1],
    ] as const) {
      const { world, cooldown } = told(share, waitMs)
      expect([cooldown, world.standing().kind]).toEqual([undefined, 'ready'])
    }
  })

  test('cannot make the lane rest longer than any refusal can', { tags: 'S28' }, () => {
    const { world } = told(1, Date.UTC(2100, 0))
    expect(cooldownOf(world.health, world.now)).toEqual({ cause: 'limited', ms: 600_000 })
  })

  test('is believed beside a refusal, by the later of the two times', () => {
    for (const [retryAfterMs, ms] of [
      [1_000, 90_000],
      [undefined, 90_000],
      [120_000, 120_000],
    ] as const) {
      const { world, cooldown } = told(1, 90_000, 'limited', retryAfterMs)
      expect(cooldownOf(world.health, world.now)).toEqual({ cause: 'limited', ms })
      expect(cooldown?.until).toBe(world.now + ms)
    }
  })

  test('is shown with its last word, until that is over, and at most eight windows of it', () => {
    const world = watchLanes()
    const many = Array.from({ length: 20 }, () => used(0.5, world.now + 1_000)).flat()
    const call = world.begin()
    call.heard(many, world.now)
    call.end('answered', world.now)
    expect(world.health.views(world.now)[0]?.windows).toEqual(many.slice(0, 8))
    expect(world.health.views(world.now + 1_000)[0]?.windows).toEqual([])
  })
})

describe('what another replica reports', () => {
  test('makes the lane cool down here too, and never for less than is known here', () => {
    const { health, now } = watchLanes()
    for (const cause of ['limited', 'failing'] as const) {
      const lane = { ...LANE, key: cause }
      health.adopt({ ...lane, cause, until: now + 5_000 })
      health.adopt({ ...lane, cause, until: now + 1_000 })
      expect(cooldownOf(health, now, lane)).toEqual({ cause, ms: 5_000 })
    }
  })

  test('comes back here as quickly as there', () => {
    const { health, now } = watchLanes()
    health.adopt({ ...LANE, cause: 'limited', until: now + 2_000 }, 2_000)
    expect(health.standing(LANE, now + 2_000)).toMatchObject({ kind: 'ready', share: 0.1 })
    expect(health.standing(LANE, now + 4_000)).toMatchObject({ kind: 'ready', share: 1 })
  })

  test('of a refused key makes all of its models cool down, even those that are called later', () => {
    const { health, now } = watchLanes()
    health.adopt({ ...LANE, model: '', cause: 'account', until: now + 30_000 })
    expect(cooldownOf(health, now)).toEqual({ cause: 'account', ms: 30_000 })
    expect(cooldownOf(health, now, OTHER_MODEL)).toEqual({ cause: 'account', ms: 30_000 })
  })
})

test('a channel that is forgotten begins with a clean record, whatever its calls under way say later', () => {
  const world = watchLanes()
  const late = world.begin(OTHER_KEY)
  world.calls(10, 'provider')
  world.call('account', OTHER_MODEL)
  const elsewhere = { ...LANE, channel: 2 }
  world.call('limited', elsewhere)
  world.health.forget(1)
  expect(world.standing()).toEqual({ kind: 'ready', score: 1, share: 1, open: 0 })
  expect(world.standing(OTHER_MODEL)).toMatchObject({ kind: 'ready', share: 1 })
  expect(world.standing(OTHER_KEY)).toMatchObject({ open: 1 })
  late.end('account', world.now)
  expect(world.standing(OTHER_KEY).kind).toBe('ready')
  expect(world.standing(elsewhere).kind).toBe('resting')
})

test('calls that waited in vain are not held against a channel that was changed', () => {
  const world = watchLanes()
  for (let n = 0; n < 5; n++) world.begin()
  world.now += 120_000
  expect(world.standing()).not.toMatchObject({ share: 1 })
  world.health.forget(1)
  expect(world.standing()).toEqual({ kind: 'ready', score: 1, share: 1, open: 5 })
  world.begin()
  expect(world.standing()).toEqual({ kind: 'ready', score: 1, share: 1, open: 6 })
})

test('a call ends once, and its first byte comes once', () => {
  const world = watchLanes()
  const call = world.begin()
  call.answered(100, world.now)
  call.answered(900, world.now)
  call.end('answered', world.now)
  expect(call.end('account', world.now)).toBeUndefined()
  call.answered(900, world.now)
  expect(world.health.views(world.now)).toMatchObject([{ open: 0, answered: 1, failed: 0, firstByteMs: 100 }])
  expect(world.standing().kind).toBe('ready')
})

test('what is known of a lane can be shown', () => {
  const world = watchLanes()
  const call = world.begin()
  call.answered(420, world.now)
  call.end('answered', world.now)
  world.call('provider')
  world.begin()
  expect(world.health.views(world.now)).toEqual([
    {
      ...LANE,
      standing: world.standing(),
      failureRate: 0.5,
      firstByteMs: 420,
      open: 1,
      answered: 1,
      failed: 1,
      windows: [],
    },
  ])
  world.now += 3_600_000
  expect(world.health.views(world.now)).toMatchObject([{ failureRate: 0, firstByteMs: undefined, answered: 1 }])
})
