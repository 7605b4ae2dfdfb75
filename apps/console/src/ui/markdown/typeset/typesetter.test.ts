import { describe, expect, it, vi } from 'vitest'
import { type Typeset, type TypesetOrder, createTypesetter, type TypesetWorker } from './typesetter.ts'

const order = (text: string): TypesetOrder => ({ kind: 'code', language: 'ts', text })
const typeset: Typeset = { kind: 'code', runs: [[1, 'keyword']] }

/** Stands in for the browser's worker and replies when the test says so. */
function workers() {
  const started: { orders: TypesetOrder[]; ended: boolean; answer: (data: unknown) => void; fail: () => void }[] = []
  const spawn = (): TypesetWorker => {
    const listeners = new Map<string, (event: { data?: unknown }) => void>()
    const worker = {
      orders: [] as TypesetOrder[],
      ended: false,
      answer: (data: unknown) => listeners.get('message')?.({ data }),
      fail: () => listeners.get('error')?.({}),
    }
    started.push(worker)
    return {
      postMessage: (asked) => worker.orders.push(asked),
      addEventListener: (type, listener) => listeners.set(type, listener),
      terminate: () => (worker.ended = true),
    }
  }
  return { started, spawn }
}

const waits = new AbortController().signal

describe('the typesetter', () => {
  it('starts its worker with the first order, sends it one at a time, and caches the results', async () => {
    const { started, spawn } = workers()
    const typesetter = createTypesetter(spawn)
    expect(started).toHaveLength(0)
    const first = typesetter.typeset(order('a'), waits)
    const second = typesetter.typeset(order('b'), waits)
    expect(started[0]?.orders).toEqual([order('a')])
    started[0]?.answer(typeset)
    expect(await first).toBe(typeset)
    expect(started[0]?.orders).toEqual([order('a'), order('b')])
    started[0]?.answer(undefined)
    expect(await second).toBeUndefined()
    expect(typesetter.known(order('a'))).toBe(typeset)
    expect(await typesetter.typeset(order('a'), waits)).toBe(typeset)
    expect(started).toHaveLength(1)
  })

  it('ends a worker that takes too long, and goes on with another', async () => {
    vi.useFakeTimers()
    try {
      const { started, spawn } = workers()
      const typesetter = createTypesetter(spawn, 1_000)
      const stuck = typesetter.typeset(order('(a+)+$'), waits)
      const next = typesetter.typeset(order('b'), waits)
      vi.advanceTimersByTime(1_000)
      expect(await stuck).toBeUndefined()
      expect(started[0]?.ended).toBe(true)
      // Too late: the result of another order must not be drawn instead.
      started[0]?.answer({ kind: 'code', runs: [[9, 'comment']] })
      started[1]?.answer(typeset)
      expect(await next).toBe(typeset)
    } finally {
      vi.useRealTimers()
    }
  })

  it('skips orders that were aborted', async () => {
    const { started, spawn } = workers()
    const typesetter = createTypesetter(spawn)
    const left = new AbortController()
    const first = typesetter.typeset(order('a'), waits)
    const second = typesetter.typeset(order('b'), left.signal)
    const third = typesetter.typeset(order('c'), waits)
    left.abort()
    started[0]?.answer(typeset)
    expect(await first).toBe(typeset)
    expect(await second).toBeUndefined()
    started[0]?.answer(typeset)
    await third
    expect(started[0]?.orders).toEqual([order('a'), order('c')])
  })

  it('leaves texts as written if there are no workers, or they fail', async () => {
    const { started, spawn } = workers()
    const failing = createTypesetter(spawn)
    const answer = failing.typeset(order('a'), waits)
    started[0]?.fail()
    expect(await answer).toBeUndefined()
    const none = createTypesetter(() => {
      throw new TypeError('no workers here')
    })
    expect(await none.typeset(order('a'), waits)).toBeUndefined()
  })

  it('shuts down when it is not needed, and restarts', async () => {
    const { started, spawn } = workers()
    const typesetter = createTypesetter(spawn)
    const first = typesetter.typeset(order('a'), waits)
    typesetter.rest()
    expect(await first).toBeUndefined()
    expect(started[0]?.ended).toBe(true)
    void typesetter.typeset(order('b'), waits)
    expect(started).toHaveLength(2)
  })
})
