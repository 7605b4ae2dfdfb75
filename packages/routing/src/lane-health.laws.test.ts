import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { BegunCall, CallCause, Standing } from './health.ts'
import { createHealth } from './lane-health.ts'
import type { Lane } from './lane.ts'

const START = 1_800_000_000_000
const CAUSES = ['answered', 'limited', 'account', 'unknown_model', 'provider', 'request', 'setup', 'stopped'] as const
const COOLDOWN_CAUSES = ['limited', 'account', 'unknown_model', 'failing'] as const
const LANES: readonly Lane[] = [1, 2].flatMap((channel) =>
  ['a1', 'b2'].flatMap((key) => ['m', 'n'].map((model) => ({ channel, key, model }))),
)
const lane = fc.constantFrom(...LANES)

/** Events of lanes, in any order. `call` is the index of a running call. */
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('begin' as const), lane }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('answer' as const), call: fc.nat(), ms: fc.nat(90_000) }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('end' as const),
      call: fc.nat(),
      cause: fc.constantFrom<CallCause>(...CAUSES),
      retryAfterMs: fc.option(fc.double({ min: -10, max: 2_000_000 }), { nil: undefined }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('wait' as const), ms: fc.nat(40_000) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('adopt' as const),
      lane,
      cause: fc.constantFrom(...COOLDOWN_CAUSES),
      ms: fc.nat(600_000),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('forget' as const), channel: fc.constantFrom(1, 2) }) },
)
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never

interface Open {
  readonly lane: Lane
  readonly call: BegunCall
}

/** Runs the steps, and calls `look` after each. */
function live(steps: readonly Step[], look: (world: ReturnType<typeof openWorld>, step: Step) => void): void {
  const world = openWorld()
  for (const each of steps) {
    take(world, each)
    look(world, each)
  }
}

function openWorld() {
  const health = createHealth({ capacity: 1_000, random: () => 0.5 })
  const open: Open[] = []
  return { health, open, now: START }
}

function take(world: ReturnType<typeof openWorld>, each: Step): void {
  const { health, open } = world
  switch (each.kind) {
    case 'begin':
      open.push({ lane: each.lane, call: health.begin(each.lane, world.now) })
      return
    case 'answer':
      open[each.call % open.length]?.call.answered(each.ms, world.now)
      return
    case 'end': {
      const [ended] = open.splice(each.call % Math.max(1, open.length), 1)
      if (ended === undefined) return
      const cooldown = ended.call.end(each.cause, world.now, each.retryAfterMs)
      if (cooldown === undefined) return
      expect(['limited', 'account', 'unknown_model', 'provider']).toContain(each.cause)
      expect(cooldown.until).toBeGreaterThan(world.now)
      const standing = health.standing(ended.lane, world.now)
      expect(standing).toMatchObject({ kind: 'resting', hasTrial: false })
      if (standing.kind === 'resting') expect(standing.until).toBeGreaterThanOrEqual(cooldown.until)
      return
    }
    case 'wait':
      world.now += each.ms
      return
    case 'adopt':
      health.adopt({ ...each.lane, cause: each.cause, until: world.now + each.ms })
      return
    case 'forget':
      health.forget(each.channel)
  }
}

const standingsOf = ({ health, now }: ReturnType<typeof openWorld>): readonly Standing[] =>
  LANES.map((each) => health.standing(each, now))

const steps = fc.array(step, { maxLength: 120 })

describe('the health of lanes, whatever happens', () => {
  test('is within its bounds: no score is 0, and no cooldown lasts forever', () => {
    fc.assert(
      fc.property(steps, (taken) => {
        live(taken, (world) => {
          for (const standing of standingsOf(world)) {
            if (standing.kind === 'ready') {
              expect(standing.score).toBeGreaterThan(0)
              expect(standing.score).toBeLessThanOrEqual(1)
              expect(standing.share).toBeGreaterThan(0)
              expect(standing.share).toBeLessThanOrEqual(1)
            } else if (standing.kind === 'resting') {
              expect(standing.until).toBeGreaterThan(world.now)
              expect(standing.until).toBeLessThanOrEqual(world.now + (standing.hasTrial ? 30_000 : 600_000))
            }
          }
        })
      }),
    )
  })

  test('changes only by what is reported, not by asking', () => {
    fc.assert(
      fc.property(steps, (taken) => {
        live(taken, (world) => {
          const before = standingsOf(world)
          const views = world.health.views(world.now)
          expect(standingsOf(world)).toEqual(before)
          expect(world.health.views(world.now)).toEqual(views)
        })
      }),
    )
  })

  test('knows how many calls are open, each until it ends', () => {
    fc.assert(
      fc.property(steps, (taken) => {
        live(taken, ({ health, open, now }) => {
          for (const view of health.views(now)) {
            const same = open.filter(({ lane: of }) => isSame(of, view))
            expect(view.open).toBe(same.length)
          }
        })
      }),
    )
  })

  test('lets one call try: the call that takes the slot of the trial leaves none', () => {
    fc.assert(
      fc.property(steps, lane, (taken, each) => {
        const world = openWorld()
        for (const one of taken) take(world, one)
        const before = world.health.standing(each, world.now)
        world.health.begin(each, world.now)
        const after = world.health.standing(each, world.now)
        expect(after.kind).not.toBe('probe')
        if (before.kind === 'probe') expect(after).toMatchObject({ kind: 'resting', hasTrial: true })
      }),
    )
  })

  test('is clean for a channel that is forgotten', () => {
    fc.assert(
      fc.property(steps, (taken) => {
        const world = openWorld()
        for (const one of taken) take(world, one)
        world.health.forget(1)
        for (const each of LANES.filter(({ channel }) => channel === 1)) {
          expect(world.health.standing(each, world.now)).toMatchObject({ kind: 'ready', share: 1 })
        }
      }),
    )
  })

  test('of one channel does not depend on another', () => {
    const call = fc.record({ lane, cause: fc.constantFrom<CallCause>(...CAUSES), wait: fc.nat(20_000) })
    fc.assert(
      fc.property(fc.array(call, { maxLength: 80 }), (calls) => {
        const both = openWorld()
        const alone = openWorld()
        for (const { lane: called, cause, wait } of calls) {
          for (const world of called.channel === 2 ? [both, alone] : [both]) {
            world.health.begin(called, world.now).end(cause, world.now)
          }
          both.now += wait
          alone.now += wait
        }
        const second = (world: ReturnType<typeof openWorld>) => standingsOf(world).slice(LANES.length / 2)
        expect(second(both)).toEqual(second(alone))
      }),
    )
  })

  test('takes no more memory than it is given, and calls of lanes without room still pass', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 12 }),
        fc.array(fc.record({ channel: fc.nat(5), key: fc.nat(3), model: fc.nat(9), ends: fc.boolean() }), {
          maxLength: 200,
        }),
        (capacity, calls) => {
          const health = createHealth({ capacity, random: () => 0 })
          let now = START
          for (const { channel, key, model, ends } of calls) {
            now += 1
            const call = health.begin({ channel, key: `${key}`, model: `${model}` }, now)
            if (ends) call.end('answered', now)
            expect(health.views(now).length).toBeLessThanOrEqual(capacity)
          }
        },
      ),
    )
  })
})

test('lanes that are not called give way to those that are', () => {
  const health = createHealth({ capacity: 10, random: () => 0 })
  for (let n = 0; n < 500; n++) {
    const each = { channel: n, key: 'a1', model: 'm' }
    health.begin(each, START + n).end('limited', START + n, 60_000)
    expect(health.standing(each, START + n).kind).toBe('resting')
  }
  expect(health.standing({ channel: 0, key: 'a1', model: 'm' }, START + 500).kind).toBe('ready')
})

test('a lane with a call under way is kept, however many others are called', () => {
  const health = createHealth({ capacity: 10, random: () => 0 })
  const busy = { channel: 999, key: 'a1', model: 'm' }
  health.begin(busy, START)
  for (let n = 0; n < 500; n++) health.begin({ ...busy, channel: n }, START + n).end('answered', START + n)
  expect(health.views(START + 500)).toContainEqual(expect.objectContaining({ channel: 999, open: 1 }))
})

const isSame = (a: Lane, b: Lane) => a.channel === b.channel && a.key === b.key && a.model === b.model
