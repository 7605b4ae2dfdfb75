import { receiptOfRequest } from '@sluice/contract/routes/receipts'
import type { Call } from '../../../lib/http/call.ts'
import type { PlaygroundParts } from '../engine/playground.ts'
import { replyCost } from '../model/reply-cost.ts'

/** Milliseconds before each look for a receipt: it is written shortly after the end of the answer. */
const WAITS_MS = [150, 600, 2_000, 6_000]

/**
 * Looks for a receipt until it is there, `WAITS_MS.length` times at most.
 * @param pause resolves after so many milliseconds, or at once when the signal aborts.
 */
export function createReceiptOf(
  call: Call,
  pause: (milliseconds: number, signal: AbortSignal) => Promise<void>,
): PlaygroundParts['receiptOf'] {
  return async (requestId, signal) => {
    for (const wait of WAITS_MS) {
      await pause(wait, signal)
      if (signal.aborted) return undefined
      const reply = await call(receiptOfRequest, { params: { request_id: requestId }, signal })
      if (reply.ok) return replyCost(reply.data)
    }
    return undefined
  }
}
