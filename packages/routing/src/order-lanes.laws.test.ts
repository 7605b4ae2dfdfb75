import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isWithin, orderLanes } from './order-lanes.ts'

interface Weighted {
  readonly id: number
  readonly weight: number
}

const weightOf = ({ weight }: Weighted) => weight
const nameOf = ({ id }: Weighted) => `${id} 5f3a9c01d2e4`
const lanesOf = (weights: readonly number[]): readonly Weighted[] => weights.map((weight, id) => ({ id, weight }))
const someLanes = fc.array(fc.nat(100), { minLength: 1, maxLength: 60 }).map(lanesOf)
const session = fc.string()

function seededRandom(seed: number): () => number {
  let state = seed | 0
  return () => {
    state = Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9
    const mixed = Math.imul(state ^ (state >>> 12), 0x297a2d39)
    return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32
  }
}

/** How often each lane is at a position of the order, over many conversations or draws. */
function sharesAt(
  place: number,
  lanes: readonly Weighted[],
  by: 'session' | 'random',
  count: number,
): readonly number[] {
  const hits = lanes.map(() => 0)
  const random = seededRandom(7)
  for (let n = 0; n < count; n++) {
    const draw = by === 'random' ? { random } : { session: `11 conversation-${n}`, nameOf }
    const id = orderLanes(lanes, weightOf, draw)[place]?.id ?? -1
    hits[id] = (hits[id] ?? 0) + 1
  }
  return hits.map((hit) => hit / count)
}

describe('the order of lanes', () => {
  test('holds every lane once, whatever the weights and chance', () => {
    fc.assert(
      fc.property(someLanes, fc.option(session), fc.integer(), (lanes, name, seed) => {
        const draw = name === null ? { random: seededRandom(seed) } : { session: name, nameOf }
        const ordered = orderLanes(lanes, weightOf, draw)
        expect(ordered.toSorted((a, b) => a.id - b.id)).toEqual(lanes)
      }),
    )
  })

  test('puts lanes of weight 0 behind all others, unless all have none', () => {
    fc.assert(
      fc.property(someLanes, session, (lanes, name) => {
        const weights = orderLanes(lanes, weightOf, { session: name, nameOf }).map(weightOf)
        const heavy = weights.filter((weight) => weight > 0).length
        expect(weights.slice(0, heavy).every((weight) => weight > 0)).toBe(true)
      }),
    )
  })

  test('puts a lane without weight behind one with next to none', () => {
    const lanes = lanesOf([0, 1e-9])
    const firsts = Array.from(
      { length: 1_000 },
      (_, n) => orderLanes(lanes, weightOf, { session: `${n}`, nameOf })[0]?.id,
    )
    expect(new Set(firsts)).toEqual(new Set([1]))
  })

  test('takes a weight that is not a number, or is below 0, for 0', () => {
    const lanes = lanesOf([Number.NaN, -3, 1])
    expect(orderLanes(lanes, weightOf, { random: () => 0.5 })[0]?.id).toBe(2)
  })

  test.each(['session', 'random'] as const)('follows the weights in its first position, by %s', (by) => {
    const lanes = lanesOf([1, 2, 3, 4])
    const shares = sharesAt(0, lanes, by, 40_000)
    for (const [id, share] of shares.entries()) expect(share).toBeCloseTo((id + 1) / 10, 1)
    expect(chiSquare(shares, [0.1, 0.2, 0.3, 0.4], 40_000)).toBeLessThan(CHI_SQUARE_3)
  })

  test.each(['session', 'random'] as const)('is even where no lane has a weight, by %s', (by) => {
    const shares = sharesAt(0, lanesOf([0, 0, 0, 0]), by, 40_000)
    expect(chiSquare(shares, [0.25, 0.25, 0.25, 0.25], 40_000)).toBeLessThan(CHI_SQUARE_3)
  })

  test.each(['session', 'random'] as const)('draws the second position from the weights that are left, by %s', (by) => {
    const [one, two, three] = [1 / 6, 2 / 6, 3 / 6]
    const second = [
      one * (two / (1 - two) + three / (1 - three)),
      two * (one / (1 - one) + three / (1 - three)),
      three * (one / (1 - one) + two / (1 - two)),
    ]
    const shares = sharesAt(1, lanesOf([1, 2, 3]), by, 40_000)
    expect(chiSquare(shares, second, 40_000)).toBeLessThan(CHI_SQUARE_2)
  })
})

describe("a conversation's own order", () => {
  test('is the same each time, in whatever order the lanes are given', () => {
    fc.assert(
      fc.property(someLanes, session, (lanes, name) => {
        const draw = { session: name, nameOf }
        expect(orderLanes(lanes.toReversed(), weightOf, draw)).toEqual(orderLanes(lanes, weightOf, draw))
      }),
    )
  })

  test('loses only the lane that goes: all others keep their order', () => {
    fc.assert(
      fc.property(someLanes, fc.nat(), session, (lanes, pick, name) => {
        const gone = lanes[pick % lanes.length]
        const left = lanes.filter((lane) => lane !== gone)
        // Weights that are all 0 count as even, so losing the last weighted lane is a different case.
        fc.pre(left.some(({ weight }) => weight > 0) === lanes.some(({ weight }) => weight > 0))
        const draw = { session: name, nameOf }
        const before = orderLanes(lanes, weightOf, draw).filter((lane) => lane !== gone)
        expect(orderLanes(left, weightOf, draw)).toEqual(before)
      }),
    )
  })

  test('gives a heavier lane conversations, and takes none from it', () => {
    fc.assert(
      fc.property(someLanes, fc.nat(), session, (lanes, pick, name) => {
        const heavier = pick % lanes.length
        fc.pre((lanes[heavier]?.weight ?? 0) > 0)
        const grown = lanes.map((lane) => (lane.id === heavier ? { ...lane, weight: lane.weight * 2 } : lane))
        const draw = { session: name, nameOf }
        const place = (of: readonly Weighted[]) => orderLanes(of, weightOf, draw).findIndex(({ id }) => id === heavier)
        expect(place(grown)).toBeLessThanOrEqual(place(lanes))
      }),
    )
  })

  test('spreads names that differ in one character only', () => {
    const lanes = lanesOf([1, 1])
    const first = Array.from(
      { length: 10_000 },
      (_, n) => orderLanes(lanes, weightOf, { session: String(n), nameOf })[0]?.id,
    )
    let changes = 0
    for (let n = 1; n < first.length; n++) if (first[n] !== first[n - 1]) changes += 1
    expect(changes / first.length).toBeCloseTo(0.5, 1)
  })
})

describe('the share of a lane that comes back', () => {
  test('lets a conversation in for good once it lets it in', () => {
    fc.assert(
      fc.property(session, fc.double({ min: 0, max: 1, noNaN: true }), (name, share) => {
        const lane = { id: 3, weight: 1 }
        const draw = { session: name, nameOf }
        if (isWithin(share, lane, draw)) expect(isWithin(share + (1 - share) / 2, lane, draw)).toBe(true)
        expect(isWithin(1, lane, draw)).toBe(true)
      }),
    )
  })

  test('is that share of the conversations, and of the requests without one', () => {
    const lane = { id: 3, weight: 1 }
    const random = seededRandom(3)
    for (const share of [0.1, 0.5, 0.9]) {
      let sessions = 0
      let draws = 0
      for (let n = 0; n < 20_000; n++) {
        if (isWithin(share, lane, { session: `${n}`, nameOf })) sessions += 1
        if (isWithin(share, lane, { random })) draws += 1
      }
      expect(Math.abs(sessions / 20_000 - share)).toBeLessThan(0.02)
      expect(Math.abs(draws / 20_000 - share)).toBeLessThan(0.02)
    }
  })

  test('has nothing to do with the position of the lane', () => {
    const lanes = lanesOf([1, 1])
    let within = 0
    let first = 0
    for (let n = 0; n < 20_000; n++) {
      const draw = { session: `${n}`, nameOf }
      const [winner] = orderLanes(lanes, weightOf, draw)
      if (winner?.id !== 0) continue
      first += 1
      if (isWithin(0.5, winner, draw)) within += 1
    }
    expect(Math.abs(within / first - 0.5)).toBeLessThan(0.03)
  })
})

/** Only one in a hundred thousand fair samples exceeds these values, for 2 and 3 degrees of freedom. */
const CHI_SQUARE_2 = 23
const CHI_SQUARE_3 = 25.9

function chiSquare(shares: readonly number[], expected: readonly number[], count: number): number {
  return shares.reduce((sum, share, at) => sum + ((share - (expected[at] ?? 0)) ** 2 / (expected[at] ?? 1)) * count, 0)
}
