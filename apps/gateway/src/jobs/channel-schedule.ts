import type { Timers } from '@sluice/ledger/timers'
import type { Options } from '@sluice/store/options'
import type { Log } from '../logger.ts'

type Begins = () => Promise<ReadonlyMap<string, number>>

export interface ChannelScheduleDeps {
  readonly options: () => Pick<
    Options,
    'AutomaticEnableChannelEnabled' | 'ChannelTestMinutes' | 'ChannelRecoveryMinutes' | 'ChannelBalanceHours'
  >
  /** Started only if still due under the lease; `begins` tells when runs last began, by scope, in unix milliseconds. */
  readonly tests: {
    readonly begins: Begins
    readonly startDue: (scope: 'enabled' | 'recovery', before: number, isDue: () => Promise<boolean>) => Promise<void>
  }
  readonly balances: { readonly begins: Begins; readonly startDue: (isDue: () => Promise<boolean>) => Promise<void> }
  readonly timers: Pick<Timers, 'every'>
  /** Unix milliseconds. */
  readonly now: () => number
  readonly log: Pick<Log, 'error'>
}

const LOOK_MS = 30_000
const MINUTE_MS = 60_000
const HOUR_MS = 3_600_000

/**
 * Starts tests and looks at balances when they are due: every replica looks, one does the work. A run that a person has started
 * counts as well, so nothing is asked twice.
 */
export function openChannelSchedule(deps: ChannelScheduleDeps): { close(): Promise<void> } {
  const { options, tests, balances, now } = deps

  /** Whether none of the runs that would do the same began within so many milliseconds. */
  const isDue =
    (begins: Begins, scopes: readonly string[], everyMs: number): (() => Promise<boolean>) =>
    async () => {
      const known = await begins()
      return scopes.every((scope) => (known.get(scope) ?? 0) <= now() - everyMs)
    }

  const look = async (): Promise<void> => {
    const { AutomaticEnableChannelEnabled, ChannelTestMinutes, ChannelRecoveryMinutes, ChannelBalanceHours } = options()
    const testMs = ChannelTestMinutes * MINUTE_MS
    if (testMs > 0) await tests.startDue('enabled', Infinity, isDue(tests.begins, ['enabled', 'all'], testMs))
    const recoveryMs = AutomaticEnableChannelEnabled ? ChannelRecoveryMinutes * MINUTE_MS : 0
    if (recoveryMs > 0) {
      const due = isDue(tests.begins, ['recovery', 'disabled', 'all'], recoveryMs)
      await tests.startDue('recovery', now() - recoveryMs, due)
    }
    const balanceMs = ChannelBalanceHours * HOUR_MS
    if (balanceMs > 0) await balances.startDue(isDue(balances.begins, ['enabled'], balanceMs))
  }

  let looking: Promise<void> | undefined
  const stop = deps.timers.every(LOOK_MS, () => {
    looking ??= look()
      .catch((error: unknown) => deps.log.error({ error }, 'the schedule of channel tests could not be kept'))
      .finally(() => {
        looking = undefined
      })
  })
  return {
    close: async () => {
      stop()
      await looking
    },
  }
}
