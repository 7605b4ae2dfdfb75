import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Leave, Roster } from './roster.ts'

/** Who joins is numbered; a number of somebody who has left already leaves again. */
const steps = fc.array(fc.oneof(fc.constant('join' as const), fc.nat(40)), { maxLength: 80 })

test('those are there who joined and have not left', () => {
  fc.assert(
    fc.property(steps, (history) => {
      const roster = new Roster<number>()
      const leaves: Leave[] = []
      const expected = new Set<number>()
      for (const step of history) {
        if (step === 'join') {
          expected.add(leaves.length)
          leaves.push(roster.add(leaves.length))
        } else {
          expected.delete(step)
          leaves[step]?.()
        }
      }
      const present: number[] = []
      roster.forEach((member) => present.push(member))
      expect(roster.size).toBe(expected.size)
      expect(present.toSorted((a, b) => a - b)).toEqual([...expected])
    }),
  )
})

test('who leaves during a round is not visited any more, and everybody else once', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 12 }), fc.nat(11), fc.nat(11), (count, when, who) => {
      const roster = new Roster<number>()
      const leaves = Array.from({ length: count }, (_, member) => roster.add(member))
      const visited: number[] = []
      roster.forEach((member) => {
        visited.push(member)
        if (member === when) leaves[who]?.()
      })
      const isSpared = who < count && when < count && who > when
      const expected = leaves.map((_, member) => member).filter((member) => !isSpared || member !== who)
      expect(visited).toEqual(expected)
    }),
  )
})
