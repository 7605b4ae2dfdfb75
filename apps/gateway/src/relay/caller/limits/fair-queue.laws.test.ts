import { openManualTimers } from '@sluice/testkit/manual-timers'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createFairQueue, type FairQueueOptions } from './fair-queue.ts'

interface Asked {
  readonly user: number
  readonly number: number
  readonly abort: () => void
  state: 'waiting' | 'running' | 'refused'
}

function openQueue(options: Partial<FairQueueOptions>) {
  const timers = openManualTimers()
  const queue = createFairQueue({ slots: 2, mostWaiting: 50, patienceMs: 10_000, ...timers, ...options })
  const parsed: Asked[] = []
  const served: Asked[] = []
  const settle = (each: Asked, refused: boolean) => {
    each.state = refused ? 'refused' : 'running'
    if (!refused) served.push(each)
  }
  const enter = (user: number): void => {
    const control = new AbortController()
    const each: Asked = { user, number: parsed.length, abort: () => control.abort(), state: 'waiting' }
    parsed.push(each)
    const answer = queue.enter(user, control.signal)
    if (answer instanceof Promise) void answer.then((refusal) => settle(each, refusal !== undefined))
    else settle(each, answer !== undefined)
  }
  const running = () => parsed.filter(({ state }) => state === 'running')
  const leave = (index: number): void => {
    const all = running()
    const gone = all[index % Math.max(1, all.length)]
    if (gone === undefined) return
    parsed.splice(parsed.indexOf(gone), 1)
    queue.leave()
  }
  const reported = async () => {
    for (let turn = 0; turn < 4; turn += 1) await Promise.resolve()
  }
  return { queue, timers, parsed, served, enter, leave, running, reported }
}

const step = fc.oneof(
  fc.record({ do: fc.constant('enter' as const), value: fc.nat(4) }),
  fc.record({ do: fc.constant('leave' as const), value: fc.nat(10) }),
  fc.record({ do: fc.constant('abort' as const), value: fc.nat(30) }),
  fc.record({ do: fc.constant('time' as const), value: fc.nat(6_000) }),
)

describe('a fair queue', () => {
  test('never loses a slot nor gives one too many, whichever requests arrive, leave, give up or run out of patience', async () => {
    const shape = fc.record({ slots: fc.integer({ min: 1, max: 4 }), mostWaiting: fc.integer({ min: 1, max: 6 }) })
    await fc.assert(
      fc.asyncProperty(shape, fc.array(step, { maxLength: 60 }), async (options, steps) => {
        const { queue, timers, parsed, enter, leave, running, reported } = openQueue(options)
        for (const { do: what, value } of steps) {
          if (what === 'enter') enter(value)
          else if (what === 'leave') leave(value)
          else if (what === 'abort') parsed[value % Math.max(1, parsed.length)]?.abort()
          else await timers.advance(value)
          await reported()
          expect(queue.running).toBe(running().length)
          expect(queue.running).toBeLessThanOrEqual(options.slots)
          expect(queue.waiting).toBe(parsed.filter(({ state }) => state === 'waiting').length)
          expect(queue.waiting).toBeLessThanOrEqual(options.mostWaiting)
          if (queue.waiting > 0) expect(queue.running).toBe(options.slots)
        }
        for (let left = parsed.length; left > 0 && queue.running > 0; left -= 1) {
          leave(0)
          await reported()
        }
        expect([queue.running, queue.waiting]).toEqual([0, 0])
      }),
      { numRuns: 60 },
    )
  })

  test('gives each waiting user a turn, and each user’s requests theirs in order', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(4), { minLength: 1, maxLength: 40 }), async (users) => {
        const { served, enter, leave, reported } = openQueue({ slots: 1 })
        enter(99)
        for (const user of users) enter(user)
        for (const _ of users) {
          leave(0)
          await reported()
        }
        const turns = served.slice(1)
        expect(turns).toHaveLength(users.length)
        for (const [index, { user, number }] of turns.entries()) {
          const before = turns.slice(0, index)
          expect(before.filter((each) => each.user === user).every((each) => each.number < number)).toBe(true)
          // Every user who still waits has had as many turns as the one whose turn it is.
          const turnsOf = (who: number) => before.filter((each) => each.user === who).length
          for (const other of new Set(turns.slice(index).map((each) => each.user))) {
            expect(turnsOf(user)).toBeLessThanOrEqual(turnsOf(other))
          }
        }
      }),
      { numRuns: 60 },
    )
  })

  test('lets a user with few requests in, however many another has sent', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 3, max: 20 }), fc.integer({ min: 1, max: 5 }), async (mostWaiting, few) => {
        const { queue, parsed, enter, reported } = openQueue({ slots: 1, mostWaiting })
        for (let n = 0; n < mostWaiting * 3; n += 1) enter(1)
        for (let n = 0; n < few; n += 1) enter(2)
        await reported()
        const waiting = (user: number) => parsed.filter((each) => each.user === user && each.state === 'waiting').length
        expect(queue.waiting).toBe(mostWaiting)
        expect(waiting(2)).toBe(Math.min(few, Math.floor(mostWaiting / 2)))
      }),
      { numRuns: 40 },
    )
  })
})
