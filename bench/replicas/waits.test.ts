import { expect, it } from 'vitest'
import { type Activity, addSample, kindOf, NO_WAITS, sumOfWaits, waitsPerRequest } from './waits.ts'

const line = (state: string, wait: string, connections: number): Activity => {
  const [type = '', event = ''] = wait.split(':')
  return { state, type: type || null, event: event || null, connections }
}

it('tells what a busy connection waits for from one that works and one that waits for its transaction to go on', () => {
  expect(kindOf(line('active', 'IO:WALSync', 1))).toBe('IO:WALSync')
  expect(kindOf(line('active', '', 1))).toBe('active')
  expect(kindOf(line('idle in transaction', 'Client:ClientRead', 1))).toBe('idle in transaction')
  expect(kindOf(line('idle in transaction (aborted)', 'Client:ClientRead', 1))).toBe('idle in transaction')
})

it('leaves out idle connections', () => {
  const waits = addSample(NO_WAITS, [line('idle', 'Client:ClientRead', 9), { ...line('', '', 1), state: null }])
  expect(waits).toMatchObject({ samples: 1, found: {} })
})

it('shares the time of the samples among the requests, longest first, with row locks even when there were none', () => {
  const first = addSample(NO_WAITS, [line('active', 'Lock:tuple', 1), line('active', '', 2)])
  const waits = { ...addSample(first, [line('active', '', 1)]), seconds: 0.01, requests: 5 }
  // Two samples in 10 ms: a connection found once was in its state for 5 ms.
  expect(waitsPerRequest(waits)).toEqual([
    { kind: 'active', count: 3, ms: 3 },
    { kind: 'Lock:tuple', count: 1, ms: 1 },
    { kind: 'Lock:transactionid', count: 0, ms: 0 },
  ])
})

it('adds up rounds', () => {
  const one = { samples: 2, seconds: 1, requests: 10, found: { active: 3 } }
  const two = { samples: 3, seconds: 2, requests: 20, found: { active: 1, 'Lock:tuple': 4 } }
  expect(sumOfWaits([one, two])).toEqual({
    samples: 5,
    seconds: 3,
    requests: 30,
    found: { active: 4, 'Lock:tuple': 4 },
  })
})
