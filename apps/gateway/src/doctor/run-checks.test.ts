import { setTimeout as delay } from 'node:timers/promises'
import { expect, it } from 'vitest'
import type { Check } from './check.ts'
import { type CheckBounds, runChecks } from './run-checks.ts'

const well: Check = { name: 'clock', examine: async () => [{ id: 'clock.ok' }] }
const stuck = (onAbort: () => void): Check => ({
  name: 'mail',
  examine: (signal) => new Promise((_, reject) => signal.addEventListener('abort', () => reject(onAbort()))),
})

function bounds(over: Partial<CheckBounds> = {}) {
  const errors: unknown[] = []
  const signal = new AbortController().signal
  return {
    errors,
    bounds: {
      eachMs: 20,
      pause: async (ms: number, until: AbortSignal) => await delay(ms, undefined, { signal: until }),
      signal,
      onError: (error: unknown) => errors.push(error),
      ...over,
    },
  }
}

it('a check that is late says so, is told to stop, and takes nothing from the others', async () => {
  let stopped = 0
  const { bounds: given, errors } = bounds()
  expect(await runChecks([stuck(() => (stopped += 1)), well], given)).toEqual([
    { id: 'doctor.late', subject: 'Mail', params: { seconds: 0.02 } },
    { id: 'clock.ok' },
  ])
  expect([stopped, errors]).toEqual([1, []])
})

it('a check that fails is a finding with the code of its error and not its words, and is reported', async () => {
  const error = Object.assign(new Error('connect to db.internal:5432 as canary'), { code: 'ECONNREFUSED' })
  const broken: Check = { name: 'ledger', examine: () => Promise.reject(error) }
  const { bounds: given, errors } = bounds()
  expect(await runChecks([broken, well], given)).toEqual([
    { id: 'doctor.failed', subject: 'Ledger', params: { reason: 'ECONNREFUSED' } },
    { id: 'clock.ok' },
  ])
  expect(errors).toEqual([error])
})

it('a check with a bound of its own is not late by that of the others', async () => {
  const slow: Check = {
    name: 'channels',
    withinMs: 60_000,
    examine: async () => (await delay(60), [{ id: 'channels.none' }]),
  }
  expect(await runChecks([slow], bounds().bounds)).toEqual([{ id: 'channels.none' }])
})

it('all checks end when nobody waits for them', async () => {
  const { bounds: given } = bounds({ signal: AbortSignal.abort(), eachMs: 60_000 })
  expect(await runChecks([well], given)).toEqual([{ id: 'clock.ok' }])
})
