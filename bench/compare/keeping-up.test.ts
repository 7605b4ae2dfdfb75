import { expect, it } from 'vitest'
import type { LoadReport } from '../load-plan.ts'
import { lowerPace, whyBehind } from './keeping-up.ts'

const EXPECTED = { providerMs: 20, gapMs: 50 }
const PACED = { kind: 'paced', perSecond: 200, requests: 400 } as const
const STEADY = { kind: 'steady', streams: 100, openingMs: 1_000, patienceMs: 500, measuredMs: 3_000 } as const

const KEPT: LoadReport = {
  complete: 400,
  failed: 0,
  failure: '',
  events: 0,
  pieces: 0,
  seconds: 2,
  opened: 0,
  cpuNs: {},
  serverCpuNs: 0,
  clientCpuNs: 0,
  p50Ms: 22,
  p99Ms: 30,
  lateP50Ms: 22,
  startLagMs: 0,
  gapP50Ms: NaN,
  gapP99Ms: NaN,
}
const report = (found: Partial<LoadReport>): LoadReport => ({ ...KEPT, ...found })

it('accepts a rate at which calls do not queue', () => {
  expect(whyBehind(report({}), PACED, EXPECTED)).toBeUndefined()
})

it('tells a target that queues calls from a load generator that is late', () => {
  const queued = report({ complete: 400, seconds: 4, lateP50Ms: 900 })
  expect(whyBehind(queued, PACED, EXPECTED)).toBe('100 of 200 requests a second')
  expect(whyBehind(report({ lateP50Ms: 900, startLagMs: 80 }), PACED, EXPECTED)).toContain('load generator')
})

it('names the first failure', () => {
  const failed = report({ complete: 390, failed: 10, failure: 'status 503' })
  expect(whyBehind(failed, PACED, EXPECTED)).toBe('10 of 400 failed: status 503')
})

it('accepts streams that arrive chunk by chunk at nearly the pace of the provider', () => {
  const flowing = report({ events: 5_700, pieces: 5_650, seconds: 3, opened: 100 })
  expect(whyBehind(flowing, STEADY, EXPECTED)).toBeUndefined()
})

it('states a pace that is lower than planned', () => {
  const flowing = { pieces: 5_000, seconds: 3, opened: 100 }
  expect(lowerPace(report({ ...flowing, events: 5_700 }), STEADY, EXPECTED)).toBeUndefined()
  expect(lowerPace(report({ ...flowing, events: 5_100 }), STEADY, EXPECTED)).toBe('at 1700 of 2000 chunks a second')
  expect(whyBehind(report({ ...flowing, events: 5_100 }), STEADY, EXPECTED)).toBeUndefined()
})

it('rejects streams that were too slow, opened too late or arrived several chunks at a time', () => {
  const flowing = { events: 5_700, pieces: 5_650, seconds: 3, opened: 100 }
  const why = (found: Partial<LoadReport>) => whyBehind(report({ ...flowing, ...found }), STEADY, EXPECTED)
  expect(why({ events: 3_000, pieces: 3_000 })).toBe('1000 of 2000 chunks a second')
  expect(why({ opened: 40, events: 2_280 })).toBe('opened 40 of 100 streams in time, 760 of 2000 chunks a second')
  expect(why({ pieces: 2_850 })).toBe('1900 of 2000 chunks a second, 2.0 at a time')
})
