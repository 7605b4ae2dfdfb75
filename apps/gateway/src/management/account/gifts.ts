import { deletePendingGift, listPendingGifts, type PendingGift } from '@sluice/store/queries/registration'
import type { ManagementDeps } from '../ports.ts'
import { moveQuota } from '../quota-move.ts'

const BATCH = 100

/**
 * Moves every gift that was promised and not yet moved. Safe at any time and from several processes at once: a gift has one
 * id, under which the ledger moves quota once. What the ledger cannot take now stays promised for the next call.
 */
export async function payGifts(deps: Pick<ManagementDeps, 'database' | 'ledger' | 'now'>): Promise<void> {
  const db = deps.database.kysely
  for (const gift of await listPendingGifts(db, BATCH)) {
    const refusal = await pay(deps, gift)
    if (refusal?.code === 'ledger_unavailable') return
    // Moved, or beyond what a balance can hold: in both cases there is nothing left to try.
    await deletePendingGift(db, gift.requestId)
  }
}

function pay({ ledger, now }: Pick<ManagementDeps, 'ledger' | 'now'>, gift: PendingGift) {
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
        type: 4,
        createdAt: Math.floor(now() / 1_000),
        userId,
        username,
        content,
      },
    },
  )
}
