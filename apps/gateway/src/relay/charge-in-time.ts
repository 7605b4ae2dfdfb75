import type { Ledger, SettleAnswer } from '@sluice/ledger/ledger'
import type { Settlement, TraceRow } from '@sluice/ledger/operation'
import type { Timers } from '@sluice/ledger/timers'

export interface ChargeDeps {
  readonly ledger: Pick<Ledger, 'settle' | 'void'>
  readonly after: Timers['after']
}

/** How long whoever waits for an answer is kept for the sake of the books: longer than any commit takes, shorter than clients wait. */
export const CHARGE_WAIT_MS = 30_000

/** Charges. `unavailable` also after `CHARGE_WAIT_MS`: the settlement stays in the ledger's queue then, and is charged once. */
export function chargeInTime({ ledger, after }: ChargeDeps, settlement: Settlement): Promise<SettleAnswer> {
  return inTime(after, ledger.settle(settlement), 'unavailable')
}

/** Gives a hold back; after `CHARGE_WAIT_MS` that is left to the ledger's queue. */
export function giveBackInTime({ ledger, after }: ChargeDeps, requestId: string, trace: TraceRow): Promise<void> {
  return inTime(after, ledger.void(requestId, trace), undefined)
}

/** Waits for work of the ledger no longer than `CHARGE_WAIT_MS`; then answers `late`, and the work goes on in its queue. */
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
