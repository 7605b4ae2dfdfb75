import { LOG_TYPE } from '@sluice/contract/log'
import type { Timers } from '@sluice/ledger/timers'
import { deletePendingGift, listPendingGifts, type PendingGift } from '@sluice/store/queries/accounts/registration'
import type { SharedPorts } from '../ports.ts'
import { moveQuota } from '../quota-move.ts'

const BATCH = 100
/** Interval between payments of gifts that waited for a newcomer's first charge. */
const LOOK_MS = 60_000

export function openGiftPayments(
  deps: Pick<SharedPorts, 'database' | 'ledger' | 'now'> & {
    readonly timers: Pick<Timers, 'every'>
    readonly onError: (error: unknown) => void
  },
): { close(): Promise<void> } {
  let running: Promise<void> | undefined
  const stop = deps.timers.every(LOOK_MS, () => {
    running ??= payGifts(deps)
      .catch(deps.onError)
      .finally(() => {
        running = undefined
      })
  })
  return {
    close: async () => {
      stop()
      await running
    },
  }
}

/**
 * Moves every due gift. Safe at any time and in several processes at once: the ledger moves quota only once per gift id. A gift
 * that the ledger cannot move now stays promised until the next call.
 */
export async function payGifts(deps: Pick<SharedPorts, 'database' | 'ledger' | 'now'>): Promise<void> {
  const db = deps.database.kysely
  for (const gift of await listPendingGifts(db, BATCH)) {
    const refusal = await pay(deps, gift)
    if (refusal?.code === 'ledger_unavailable') return
    // Moved, or beyond what a balance can hold: there is nothing left to try.
    await deletePendingGift(db, gift.requestId)
  }
}

function pay({ ledger, now }: Pick<SharedPorts, 'ledger' | 'now'>, gift: PendingGift) {
  const { requestId, userId, username, quota, content } = gift
  return moveQuota(
    ledger,
    { kind: 'user', id: userId, unlimited: false },
    {
      requestId,
      kind: gift.kind,
      mode: 'add',
      quota,
      actor: 0,
      reason: content,
      log: {
        type: LOG_TYPE.system,
        createdAt: Math.floor(now() / 1_000),
        userId,
        username,
        content,
      },
    },
  )
}
