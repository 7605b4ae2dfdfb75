import type { Receipt } from '@sluice/contract/receipt'
import { receiptOfLog } from '@sluice/contract/routes/receipts'
import { type Call, successOf } from '../../../lib/http/call.ts'
import type { QuerySpec } from '../../../lib/query/queries.ts'
import { LOGS } from './log-list.ts'

/** Start of every key under which receipts are cached. */
const RECEIPTS = [...LOGS, 'receipt'] as const

/** How the charge of a log row came about. A late settlement or a refund may still add to it. */
export function logReceiptQuery(call: Call, id: number): QuerySpec<Receipt> {
  return {
    queryKey: [...RECEIPTS, id],
    queryFn: async ({ signal }) => successOf(await call(receiptOfLog, { params: { id }, signal })).data,
  }
}
