import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { reasonToSwitchOff, WINDOW_MINUTES } from './reason-to-switch-off.ts'

interface Call {
  readonly user: number
  readonly minute: number
  readonly failed: boolean
}

const threshold = fc.double({ min: 0, max: 100, noNaN: true })
const minute = fc.integer({ min: 0, max: WINDOW_MINUTES - 1 })
const call = (user: fc.Arbitrary<number>, failed: fc.Arbitrary<boolean>) => fc.record({ user, minute, failed })

function summed(calls: readonly Call[]) {
  const failed = calls.filter((each) => each.failed)
  const ofUsers = Map.groupBy(failed, ({ user }) => user)
  return {
    calls: calls.length,
    failed: failed.length,
    badMinutes: new Set(failed.map((each) => each.minute)).size,
    mostOfOneUser: Math.max(0, ...[...ofUsers.values()].map(({ length }) => length)),
    isOneCaller: new Set(calls.map(({ user }) => user)).size === 1,
  }
}

test('no single user switches a channel off for ten others whose calls succeed', () => {
  const well = fc.array(call(fc.integer({ min: 2, max: 20 }), fc.constant(false)), { minLength: 10, maxLength: 60 })
  const burst = fc.array(call(fc.constant(1), fc.constant(true)), { maxLength: 2_000 })
  fc.assert(
    fc.property(well, burst, threshold, (others, own, percent) => {
      expect(reasonToSwitchOff(summed([...others, ...own]), percent)).toBeUndefined()
    }),
  )
})

test('two bad minutes switch nothing off, however many calls they had', () => {
  const bad = fc.array(call(fc.integer({ min: 1, max: 50 }), fc.constant(true)), { maxLength: 500 })
  const good = fc.array(call(fc.integer({ min: 1, max: 50 }), fc.constant(false)), { maxLength: 500 })
  fc.assert(
    fc.property(bad, good, threshold, (failures, successes, percent) => {
      const squeezed = failures.map((each) => ({ ...each, minute: each.minute % 2 }))
      expect(reasonToSwitchOff(summed([...squeezed, ...successes]), percent)).toBeUndefined()
    }),
  )
})

test('a channel on which every call of every user fails for a quarter of an hour is switched off', () => {
  const users = fc.integer({ min: 1, max: 8 })
  fc.assert(
    fc.property(users, fc.integer({ min: 0, max: 99 }), (count, percent) => {
      const calls = Array.from({ length: WINDOW_MINUTES }, (_, at) => at).flatMap((at) =>
        Array.from({ length: count }, (_, user) => [
          { user, minute: at, failed: true },
          { user, minute: at, failed: true },
        ]).flat(),
      )
      expect(reasonToSwitchOff(summed(calls), percent)).toBeDefined()
    }),
  )
})
