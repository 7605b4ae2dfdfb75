import { REFUND_REASON_MAX } from '@sluice/contract/receipt'
import * as v from 'valibot'
import { compareExact, formatExact } from './exact.ts'
import type { ReceiptWords } from './receipt-text.ts'

/** What an administrator enters to refund at most `left` points (exact decimal text). */
export function refundSchema(t: ReceiptWords, left: string) {
  return v.object({
    amount: v.pipe(
      v.string(),
      v.trim(),
      v.regex(/^\d{1,16}(\.\d{1,3})?$/, t.amountInvalid),
      v.check((amount) => compareExact(amount, '0') > 0, t.amountZero),
      v.check((amount) => compareExact(amount, left) <= 0, t.amountTooLarge(formatExact(left))),
    ),
    reason: v.pipe(
      v.string(),
      v.trim(),
      v.minLength(1, t.reasonMissing),
      v.maxLength(REFUND_REASON_MAX, t.reasonTooLong(REFUND_REASON_MAX)),
    ),
  })
}
