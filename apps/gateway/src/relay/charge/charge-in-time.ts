import type { Ledger, SettleAnswer } from '@sluice/ledger/ledger'
import type { Settlement, TraceRow } from '@sluice/ledger/operation'
import type { Timers } from '@sluice/ledger/timers'

export interface ChargeDeps {
  readonly ledger: Pick<Ledger, 'settle' | 'void'>
  readonly after: Timers['after']
}

/** How long a caller waits for its charge to be written: longer than any commit takes, shorter than clients wait. */
export const CHARGE_WAIT_MS = 30_000

/** Also returns `unavailable` after `CHARGE_WAIT_MS`; the settlement then stays in the ledger's queue, still charged only once. */
export function chargeInTime({ ledger, after }: ChargeDeps, settlement: Settlement): Promise<SettleAnswer> {
  return inTime(after, ledger.settle(settlement), 'unavailable')
}

/** Releases a hold; after `CHARGE_WAIT_MS`, leaves that to the ledger's queue. */
export function giveBackInTime({ ledger, after }: ChargeDeps, requestId: string, trace: TraceRow): Promise<void> {
  return inTime(after, ledger.void(requestId, trace), undefined)
}

/** Waits at most `CHARGE_WAIT_MS` for work of the ledger, then returns `late`; the work continues in the ledger's queue. */
export async function inTime<Value>(after: Timers['after'], work: Promise<Value>, late: Value): Promise<Value> {
  let stop = () => {}
  const waited = new Promise<Value>((resolve) => {
    stop = after(CHARGE_WAIT_MS, () => resolve(late))
  })
  try {
    return await Promise.race([work, waited])
  } finally {
    stop()
  }
}
