import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Leave, LiveSet } from './live-set.ts'

/** Members that join are numbered; the number of a member that has already left makes it leave again. */
const steps = fc.array(fc.oneof(fc.constant('join' as const), fc.nat(40)), { maxLength: 80 })

test('holds the members that joined and have not left', () => {
  fc.assert(
    fc.property(steps, (history) => {
      const live = new LiveSet<number>()
      const leaves: Leave[] = []
      const expected = new Set<number>()
      for (const step of history) {
        if (step === 'join') {
          expected.add(leaves.length)
          leaves.push(live.add(leaves.length))
        } else {
          expected.delete(step)
          leaves[step]?.()
        }
      }
      const present: number[] = []
      live.forEach((member) => present.push(member))
      expect(live.size).toBe(expected.size)
      expect(present.toSorted((a, b) => a - b)).toEqual([...expected])
    }),
  )
})

test('a member that leaves during a round is not visited, and every other one once', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 12 }), fc.nat(11), fc.nat(11), (count, when, who) => {
      const live = new LiveSet<number>()
      const leaves = Array.from({ length: count }, (_, member) => live.add(member))
      const visited: number[] = []
      live.forEach((member) => {
        visited.push(member)
        if (member === when) leaves[who]?.()
      })
      const isSpared = who < count && when < count && who > when
      const expected = leaves.map((_, member) => member).filter((member) => !isSpared || member !== who)
      expect(visited).toEqual(expected)
    }),
  )
})
