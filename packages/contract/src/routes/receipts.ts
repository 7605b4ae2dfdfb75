import * as v from 'valibot'
import { exportedCharge, priceBook, receipt, refund } from '../receipt.ts'
import { defineRoute } from '../route.ts'
import { pageQuery, queryIntOr } from '../scalars.ts'
import { logFilters } from './logs.ts'

/** Newest first. Rows without a charge are left out, so a page can be shorter than `size`. */
const exported = {
  query: v.object({ p: pageQuery.p, size: pageQuery.size, ...logFilters }),
  data: v.array(exportedCharge),
  paged: true,
  extra: v.object({ book: priceBook }),
} as const

export const receiptOfLog = defineRoute({
  method: 'GET',
  changes: false,
  path: '/api/log/:id/receipt',
  longId: true,
  access: 'logs.own',
  summary: 'How the charge of a log row was computed, step by step; for its owner or an administrator',
  data: receipt,
})
export const receiptOfRequest = defineRoute({
  method: 'GET',
  changes: false,
  path: '/api/receipt/:request_id',
  params: { request_id: '[0-9a-f]{32}' },
  access: 'logs.own',
  summary: 'The same by request id, even if the log row has been deleted',
  data: receipt,
})
export const refundCharge = defineRoute({
  method: 'POST',
  path: '/api/log/:id/refund',
  longId: true,
  access: 'logs.refund',
  summary: 'Refund part of a charge or all that remains of it; returns the number of quota points refunded',
  body: refund,
  data: v.object({ refunded: v.string() }),
})
export const listCharges = defineRoute({
  method: 'GET',
  changes: false,
  path: '/api/log/charges',
  access: 'logs.all',
  summary: 'Transactions behind the logs of all users, with the prices they refer to',
  ...exported,
})
export const listOwnCharges = defineRoute({
  method: 'GET',
  changes: false,
  path: '/api/log/self/charges',
  access: 'logs.own',
  summary: 'Transactions behind one’s own logs, with the prices they refer to',
  ...exported,
})
export const exportPriceBook = defineRoute({
  method: 'GET',
  changes: false,
  path: '/api/prices/book',
  access: 'logs.all',
  summary: 'All prices that were ever charged, oldest first',
  query: v.object({
    /** Row id of the last price of the previous page; 0 for the first page. */
    after: queryIntOr(0, (id) => Math.max(0, id)),
    size: queryIntOr(1_000, (size) => Math.min(1_000, Math.max(1, size))),
  }),
  data: priceBook,
})
