import { isRefusal } from '@sluice/contract/errors'
import { createMemoryLimits } from '@sluice/coordination/limits'
import { systemTimers } from '@sluice/ledger/timers'
import type { GroupLimits } from '@sluice/store/options/group-limits'
import { NO_LIMITS, type RequestLimits } from '@sluice/store/options/request-limits'
import { admit, type AdmitDeps } from '../apps/gateway/src/relay/caller/limits/admit.ts'
import { createOpenCalls } from '../apps/gateway/src/relay/caller/limits/caller-limits.ts'
import { createFairQueue } from '../apps/gateway/src/relay/caller/limits/fair-queue.ts'

/** The cost of admitting a request, from its arrival to its end: microseconds of CPU. */

const ROUNDS = 9
const RUNS = 50_000
const CALLERS = 1_000

function depsWith(groupLimits: GroupLimits): AdmitDeps {
  const options = { GroupLimits: groupLimits }
  return {
    limits: createMemoryLimits({ capacity: 100_000, now: Date.now, shareOf: () => 1 }),
    openCalls: createOpenCalls(() => 1),
    queue: createFairQueue({
      slots: 10_000,
      mostWaiting: 10_000,
      patienceMs: 10_000,
      now: () => performance.now(),
      after: (ms, task) => systemTimers.after(ms, task),
    }),
    relayRateLimit: 0,
    options: () => options,
    now: Date.now,
  }
}

/** Admits this many requests that do nothing, one after the other. */
async function run(deps: AdmitDeps, limits: RequestLimits): Promise<void> {
  const { signal } = new AbortController()
  const callers = Array.from({ length: CALLERS }, (_, id) => ({ tokenId: id, userId: id, group: 'default', limits }))
  for (let at = 0; at < RUNS; at += CALLERS) {
    for (const caller of callers) {
      const endings: (() => void)[] = []
      const atEnd = (task: () => void) => void endings.push(task)
      const request = { path: '/v1/chat/completions', signal, replyHeaders: [], atEnd }
      const admitted = await admit(deps, request, caller, 100)
      if (isRefusal(admitted)) throw new Error(`refused: ${admitted.code}`)
      for (const end of endings) end()
    }
  }
}

/** Microseconds of CPU for one; the best of several rounds, because other load on the machine only ever adds to it. */
async function measure(deps: AdmitDeps, limits: RequestLimits): Promise<number> {
  let best = Number.POSITIVE_INFINITY
  for (let round = 0; round < ROUNDS; round += 1) {
    const before = process.cpuUsage()
    await run(deps, limits)
    const { user, system } = process.cpuUsage(before)
    best = Math.min(best, (user + system) / RUNS)
  }
  return best
}

const WIDE: RequestLimits = { rpm: 1_000_000, tpm: 1_000_000_000, concurrency: 1_000 }
const CASES: readonly (readonly [string, GroupLimits, RequestLimits])[] = [
  ['no limits', new Map(), NO_LIMITS],
  ['requests per minute of a token', new Map(), { ...NO_LIMITS, rpm: WIDE.rpm }],
  ['all three of a token', new Map(), WIDE],
  ['all three of a token and of its user', new Map([['default', WIDE]]), WIDE],
]

for (const [name, groups, limits] of CASES) {
  const best = await measure(depsWith(groups), limits)
  process.stdout.write(`${name.padEnd(44)} ${best.toFixed(3).padStart(9)} µs\n`)
}
