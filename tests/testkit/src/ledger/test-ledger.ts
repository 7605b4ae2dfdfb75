import { type GroupCommitOptions, openLedger } from '@sluice/ledger/commit/group-commit'
import type { Ledger } from '@sluice/ledger/ledger'
import type { ManualTimers } from '../manual-timers.ts'

/** A ledger that is the only writer to `engine`, with a fixed clock and limits that no test reaches by accident. */
export function openTestLedger(
  options: Pick<GroupCommitOptions, 'engine'> &
    Partial<Omit<GroupCommitOptions, 'timers'>> & { readonly timers: ManualTimers },
): Promise<Ledger> {
  return openLedger({
    replica: 'r1',
    alone: true,
    now: options.timers.now,
    steady: options.timers.now,
    maxBacklog: 20_000,
    drainMs: 10_000,
    onDead: () => {},
    onFailure: () => {},
    ...options,
  })
}
