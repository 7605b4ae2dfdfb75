import { describe, expect, test } from 'vitest'
import type { BegunCall, CallCause } from './health.ts'
import { createHealth } from './lane-health.ts'
import { isWithin, orderLanes } from './order-lanes.ts'
import { createRetryBudget } from './retry-budget.ts'

const SECOND = 1_000
const START = 1_800_000_000_000
/** Start of the bad minute. */
const FALLS = START + 60 * SECOND
const RISES = FALLS + 60 * SECOND
const END = RISES + 120 * SECOND
const CALLS_PER_SECOND = 100
const LANES = [1, 2, 3].map((channel) => ({ channel, key: 'only', model: 'm' }))
type SimulatedLane = (typeof LANES)[number]
const BAD = LANES[0]

/** How a call ends, how long that takes, and when its first byte arrives, if it does. */
interface Outcome {
  readonly cause: CallCause
  readonly tookMs: number
  readonly firstByteMs?: number
}

interface Try {
  readonly at: number
  readonly channel: number
  readonly cause: CallCause
}

interface Day {
  readonly tries: readonly Try[]
  /** When requests finally failed. */
  readonly lost: readonly number[]
}

interface Weather {
  /** How the bad lane ends calls in the bad minute. */
  readonly bad: (random: () => number) => Outcome
  /** Priority tiers; by default one tier of all lanes. */
  readonly tiers?: readonly (readonly SimulatedLane[])[]
  readonly isSession?: boolean
}

/** Simulates four minutes, the second of which is bad for one of three lanes, with up to three tries per request. */
function live({ bad, tiers = [LANES], isSession = false }: Weather): Day {
  const random = seededRandom(11)
  const health = createHealth({ capacity: 1_000, random })
  const budget = createRetryBudget()
  const queue = new Agenda()
  const tries: Try[] = []
  const lost: number[] = []

  const plan = (now: number, session: string | undefined): readonly SimulatedLane[] => {
    const order: SimulatedLane[] = []
    const later: SimulatedLane[] = []
    for (const tier of tiers) {
      const draw =
        session === undefined ? { random } : { session, nameOf: ({ channel }: SimulatedLane) => `${channel}` }
      const open = tier.filter((lane) => health.standing(lane, now).kind !== 'resting')
      const scoreOf = (lane: SimulatedLane) => {
        const standing = health.standing(lane, now)
        return standing.kind === 'ready' ? standing.score : 1
      }
      for (const lane of orderLanes(open, scoreOf, draw)) {
        const standing = health.standing(lane, now)
        const share = standing.kind === 'ready' ? standing.share : 1
        if (isWithin(share, lane, draw)) order.push(lane)
        else later.push(lane)
      }
    }
    return [...order, ...later]
  }

  const attempt = (lanes: readonly SimulatedLane[], tried: number, now: number): void => {
    const lane = lanes.find((each, at) => at >= tried && health.standing(each, now).kind !== 'resting')
    if (lane === undefined || tried >= 3 || (tried > 0 && !budget.take(now))) {
      lost.push(now)
      return
    }
    const call: BegunCall = health.begin(lane, now)
    const isBad = lane === BAD && now >= FALLS && now < RISES
    const outcome = isBad ? bad(random) : goodOutcome(random)
    const { cause, tookMs, firstByteMs } = outcome
    if (firstByteMs !== undefined) queue.at(now + firstByteMs, (then) => call.answered(firstByteMs, then))
    queue.at(now + tookMs, (then) => {
      call.end(cause, then)
      tries.push({ at: now, channel: lane.channel, cause })
      if (cause !== 'answered') attempt(lanes, lanes.indexOf(lane) + 1, then)
    })
  }

  for (let at = START; at < END; at += SECOND / CALLS_PER_SECOND) {
    queue.at(at, (now) => {
      budget.sent(now)
      attempt(plan(now, isSession ? `conversation ${Math.floor(random() * 2_000)}` : undefined), 0, now)
    })
  }
  queue.run()
  return { tries: tries.toSorted((a, b) => a.at - b.at), lost }
}

/** The bad lane's share of the requests in each second, starting at `from`. */
function sharesFrom({ tries }: Day, from: number, seconds: number): readonly number[] {
  return Array.from({ length: seconds }, (_, second) => {
    const within = tries.filter(({ at }) => Math.floor((at - from) / SECOND) === second)
    return within.filter(({ channel }) => channel === BAD?.channel).length / Math.max(1, within.length)
  })
}

const failuresOf = ({ tries }: Day, from: number, until: number) =>
  tries.filter(({ at, cause }) => cause !== 'answered' && at >= from && at < until).length

const goodOutcome = (random: () => number): Outcome => {
  const firstByteMs = Math.ceil(200 + 400 * random())
  return { cause: 'answered', tookMs: firstByteMs + Math.ceil(1_000 * random()), firstByteMs }
}
const refuses = (): Outcome => ({ cause: 'provider', tookMs: 50 })
const stalls = (): Outcome => ({ cause: 'provider', tookMs: 60_000 })

describe('a minute in which one of three lanes fails every call', () => {
  const day = live({ bad: refuses })

  test('costs no request: each finds another lane', () => {
    expect(day.lost).toEqual([])
  })

  test('is noticed by few, and after that only by an occasional trial', () => {
    expect(failuresOf(day, FALLS, FALLS + SECOND)).toBeLessThanOrEqual(20)
    expect(failuresOf(day, FALLS + SECOND, RISES)).toBeLessThanOrEqual(10)
  })

  test('ends without a stampede: the lane gets little at first, never more than its share, and in the end all of it', () => {
    const back = day.tries.find(({ at, channel }) => at >= RISES && channel === BAD?.channel)?.at ?? END
    const shares = sharesFrom(day, back, 40)
    expect(shares[0]).toBeLessThan(0.1)
    expect(Math.max(...shares.slice(0, 10))).toBeLessThan(0.33)
    const last = shares.slice(25)
    expect(last.reduce((sum, share) => sum + share, 0) / last.length).toBeCloseTo(1 / 3, 1)
  })

  test('does not swing: once the lane is back it stays', () => {
    expect(failuresOf(day, RISES, END)).toBe(0)
  })
})

describe('the same minute for the only lane of the first priority', () => {
  const [first, ...others] = LANES
  const day = live({ bad: refuses, tiers: [first === undefined ? [] : [first], others] })

  test('costs no request', () => {
    expect(day.lost).toEqual([])
  })

  test('ends as gently: those behind it hand over their load bit by bit', () => {
    const back = day.tries.find(({ at, channel }) => at >= RISES && channel === BAD?.channel)?.at ?? END
    const shares = sharesFrom(day, back, 40)
    expect(shares[0]).toBeLessThan(0.25)
    expect(shares[30]).toBe(1)
  })
})

describe('the same minute with conversations that keep to their lane', () => {
  const day = live({ bad: refuses, isSession: true })

  test('costs no request, and few notice', () => {
    expect(day.lost).toEqual([])
    expect(failuresOf(day, FALLS, RISES)).toBeLessThanOrEqual(30)
  })

  test('ends with each conversation coming back once', () => {
    const back = day.tries.find(({ at, channel }) => at >= RISES && channel === BAD?.channel)?.at ?? END
    expect(sharesFrom(day, back, 1)[0]).toBeLessThan(0.1)
  })
})

describe('a minute in which one of three lanes says nothing at all', () => {
  const day = live({ bad: stalls })

  test('costs no request', () => {
    expect(day.lost).toEqual([])
  })

  test('keeps few callers waiting: load moves away long before the first call is given up', () => {
    const stuck = day.tries.filter(({ at, cause }) => cause !== 'answered' && at >= FALLS && at < FALLS + 60 * SECOND)
    expect(stuck.length).toBeLessThan(200)
  })
})

describe('the same silence at the only lane of the first priority', () => {
  const [first, ...others] = LANES
  const day = live({ bad: stalls, tiers: [first === undefined ? [] : [first], others] })

  test('sends load to the next priority within seconds', () => {
    const stuck = day.tries.filter(({ at, cause }) => cause !== 'answered' && at >= FALLS && at < RISES)
    expect(stuck.length).toBeLessThan(600)
    expect(sharesFrom(day, FALLS + 10 * SECOND, 40).every((share) => share < 0.1)).toBe(true)
  })
})

describe('a lane that loses a tenth of its calls', () => {
  test('is called less, and does not cool down', () => {
    const day = live({ bad: (random) => (random() < 0.1 ? refuses() : goodOutcome(random)) })
    const shares = sharesFrom(day, FALLS + 20 * SECOND, 40)
    expect(Math.min(...shares)).toBeGreaterThan(0.1)
    const mean = shares.reduce((sum, share) => sum + share, 0) / shares.length
    expect(mean).toBeLessThan(0.33)
    expect(day.lost).toEqual([])
  })
})

/** Events in order of time. */
class Agenda {
  readonly #due = new Map<number, ((now: number) => void)[]>()
  readonly #times: number[] = []

  at(time: number, then: (now: number) => void): void {
    const whole = Math.ceil(time)
    const same = this.#due.get(whole)
    if (same !== undefined) same.push(then)
    else {
      this.#due.set(whole, [then])
      this.#times.push(whole)
      for (let child = this.#times.length - 1; child > 0;) {
        const parent = (child - 1) >> 1
        if (!this.#swap(parent, child)) break
        child = parent
      }
    }
  }

  run(): void {
    for (let time = this.#next(); time !== undefined; time = this.#next()) {
      const due = this.#due.get(time) ?? []
      this.#due.delete(time)
      for (const then of due) then(time)
    }
  }

  #next(): number | undefined {
    const [first] = this.#times
    const last = this.#times.pop()
    if (first === undefined || last === undefined || this.#times.length === 0) return first
    this.#times[0] = last
    for (let parent = 0; ;) {
      const left = 2 * parent + 1
      const child = (this.#times[left + 1] ?? Infinity) < (this.#times[left] ?? Infinity) ? left + 1 : left
      if (!this.#swap(parent, child)) break
      parent = child
    }
    return first
  }

  /** Puts the earlier of two events above; false if it is there already. */
  #swap(parent: number, child: number): boolean {
    const above = this.#times[parent]
    const below = this.#times[child]
    if (above === undefined || below === undefined || above <= below) return false
    this.#times[parent] = below
    this.#times[child] = above
    return true
  }
}

function seededRandom(seed: number): () => number {
  let state = seed | 0
  return () => {
    state = Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9
    const mixed = Math.imul(state ^ (state >>> 12), 0x297a2d39)
    return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32
  }
}
