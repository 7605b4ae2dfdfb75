import type { Refusal } from '@sluice/contract/errors'
import { openManualTimers } from '@sluice/testkit/manual-timers'
import { describe, expect, test } from 'vitest'
import { createFairQueue, type FairQueueOptions } from './fair-queue.ts'

const STAYS = new AbortController().signal

function open(options: Partial<FairQueueOptions> = {}) {
  const timers = openManualTimers()
  const queue = createFairQueue({ slots: 1, mostWaiting: 2, patienceMs: 5_000, ...timers, ...options })
  return { queue, timers }
}

const limitOf = (refusal: Refusal | undefined) => refusal?.params?.['limit']

describe('a queue for slots', () => {
  test('gives a free slot at once, without a promise', () => {
    expect(open().queue.enter(1, STAYS)).toBeUndefined()
  })

  test('refuses at once when no request may wait', () => {
    const { queue } = open({ patienceMs: 0 })
    void queue.enter(1, STAYS)
    expect(queue.enter(1, STAYS)).toEqual({ code: 'overloaded', params: { limit: '1 open requests' }, retryAfter: 1 })
  })

  test('refuses a request that waited too long', async () => {
    const { queue, timers } = open()
    void queue.enter(1, STAYS)
    const waiting = queue.enter(2, STAYS)
    await timers.advance(5_000)
    expect(limitOf(await waiting)).toBe('1 open requests, and no slot became free within 5 s')
    expect([queue.running, queue.waiting]).toEqual([1, 0])
  })

  test('refuses a user’s next request when all waiting requests are that user’s', () => {
    const { queue } = open()
    for (let n = 0; n < 3; n += 1) void queue.enter(1, STAYS)
    expect(limitOf(queue.enter(1, STAYS) as Refusal)).toBe('1 open requests and 2 waiting requests')
  })

  test('refuses early a request whose turn cannot come in time, and says when it would', async () => {
    const { queue, timers } = open({ mostWaiting: 100 })
    void queue.enter(0, STAYS)
    for (let user = 1; user <= 20; user += 1) void queue.enter(user, STAYS)
    await timers.advance(1_000)
    for (let n = 0; n < 2; n += 1) queue.leave()
    expect(queue.enter(30, STAYS)).toMatchObject({ code: 'overloaded', retryAfter: 6 })
    await timers.advance(1_000)
    for (let n = 0; n < 12; n += 1) queue.leave()
    expect(queue.enter(30, STAYS)).toBeInstanceOf(Promise)
  })

  test('admits again after a pause, whatever happened before it', async () => {
    const { queue, timers } = open()
    void queue.enter(1, STAYS)
    const waiting = queue.enter(2, STAYS)
    await timers.advance(5_000)
    await waiting
    await timers.advance(3_600_000)
    expect(queue.enter(3, STAYS)).toBeInstanceOf(Promise)
  })

  test('never gives a slot away twice: a request that left while waiting is passed over', async () => {
    const { queue } = open()
    const client = new AbortController()
    void queue.enter(1, STAYS)
    const gone = queue.enter(2, client.signal)
    const next = queue.enter(3, STAYS)
    client.abort()
    expect(await gone).toMatchObject({ code: 'shutting_down' })
    queue.leave()
    expect(await next).toBeUndefined()
    expect([queue.running, queue.waiting]).toEqual([1, 0])
    queue.leave()
    expect(queue.running).toBe(0)
  })
})
