import { receiptOfRequest } from '@sluice/contract/routes/receipts'
import type { Call } from '../../../lib/http/call.ts'
import type { PlaygroundParts } from '../engine/playground.ts'
import { replyCost } from '../model/reply-cost.ts'

/** As the gateway names its requests; others have no receipt. */
const REQUEST_ID = /^[0-9a-f]{32}$/
/** Milliseconds before each look for a receipt that is being written: it comes shortly after the end of the answer. */
const WAITS_MS = [150, 600, 2_000, 6_000]

/**
 * Looks for a receipt: once, or until it is there when its answer ended just now, `WAITS_MS.length` times at most.
 * @param pause resolves after so many milliseconds, or at once when the signal aborts.
 */
export function createReceiptOf(
  call: Call,
  pause: (milliseconds: number, signal: AbortSignal) => Promise<void>,
): PlaygroundParts['receiptOf'] {
  return async (requestId, isFresh, signal) => {
    if (!REQUEST_ID.test(requestId)) return undefined
    for (const wait of isFresh ? WAITS_MS : [0]) {
      await pause(wait, signal)
      if (signal.aborted) return undefined
      const reply = await call(receiptOfRequest, { params: { request_id: requestId }, signal })
      if (reply.ok) return replyCost(reply.data)
      if (reply.kind !== 'refused') return undefined
    }
    return undefined
  }
}
