import { openSchedule } from '@sluice/coordination/schedule'
import type { Timers } from '@sluice/ledger/timers'
import type { Options } from '@sluice/store/options/options'
import type { Log } from '../process/logger.ts'

type Begins = () => Promise<ReadonlyMap<string, number>>

export interface ChannelScheduleDeps {
  readonly options: () => Pick<
    Options,
    'AutomaticEnableChannelEnabled' | 'ChannelTestMinutes' | 'ChannelRecoveryMinutes' | 'ChannelBalanceHours'
  >
  /** A run starts only if it is still due under the lease. `begins`: last start of runs, by scope, in unix milliseconds. */
  readonly tests: {
    readonly begins: Begins
    readonly startDue: (
      scope: 'enabled' | 'recovery',
      isDue: () => Promise<boolean>,
      recoveryMs?: number,
    ) => Promise<void>
  }
  readonly balances: { readonly begins: Begins; readonly startDue: (isDue: () => Promise<boolean>) => Promise<void> }
  readonly timers: Pick<Timers, 'every'>
  /** Unix milliseconds. */
  readonly now: () => number
  readonly log: Pick<Log, 'error'>
}

interface TestRun {
  readonly scope: 'enabled' | 'recovery'
  /** Channels and keys that were switched off get this long to recover. */
  readonly recoveryMs?: number
  /** Scopes of runs that do the same. */
  readonly sameAs: readonly string[]
  readonly everyMs: number
}

const LOOK_MS = 30_000
const MINUTE_MS = 60_000
const HOUR_MS = 3_600_000

/** Every replica checks what is due, and one does the work. Runs started by people count, so nothing is requested twice. */
export function openChannelSchedule(deps: ChannelScheduleDeps): { close(): Promise<void> } {
  const { options, tests, balances, now } = deps

  /** Whether no run that would do the same began within the last `everyMs` milliseconds. */
  const isDue =
    (begins: Begins, scopes: readonly string[], everyMs: number): (() => Promise<boolean>) =>
    async () => {
      return latest(await begins(), { sameAs: scopes }) <= now() - everyMs
    }

  const look = async (): Promise<void> => {
    const { AutomaticEnableChannelEnabled, ChannelTestMinutes, ChannelRecoveryMinutes, ChannelBalanceHours } = options()
    const runs: TestRun[] = []
    if (ChannelTestMinutes > 0) {
      const everyMs = ChannelTestMinutes * MINUTE_MS
      runs.push({ scope: 'enabled', sameAs: ['enabled', 'all'], everyMs })
    }
    if (AutomaticEnableChannelEnabled && ChannelRecoveryMinutes > 0) {
      const everyMs = ChannelRecoveryMinutes * MINUTE_MS
      runs.push({ scope: 'recovery', recoveryMs: everyMs, sameAs: ['recovery', 'disabled', 'all'], everyMs })
    }
    // Only one runs at a time, so the one that has waited longest goes first, and neither delays the other forever.
    const begun = await tests.begins()
    for (const { scope, recoveryMs, sameAs, everyMs } of runs.toSorted((a, b) => latest(begun, a) - latest(begun, b))) {
      await tests.startDue(scope, isDue(tests.begins, sameAs, everyMs), recoveryMs)
    }
    const balanceMs = ChannelBalanceHours * HOUR_MS
    if (balanceMs > 0) await balances.startDue(isDue(balances.begins, ['enabled'], balanceMs))
  }

  return openSchedule({
    every: (ms, task) => deps.timers.every(ms, task),
    ms: LOOK_MS,
    look,
    onError: (error) => deps.log.error({ error }, 'a scheduled channel test could not be started'),
  })
}

/** The last start of runs that do the same; 0 for never. */
function latest(begun: ReadonlyMap<string, number>, { sameAs }: Pick<TestRun, 'sameAs'>): number {
  return Math.max(...sameAs.map((scope) => begun.get(scope) ?? 0))
}
