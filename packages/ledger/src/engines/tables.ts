import { type Price, priceContent } from '../pricing.ts'
import type { Account, Budget, Hold, LedgerEvent, Redemption, TransferRow } from '../rules/rows.ts'
import { encodeUnits, outputUnits, promptUnits } from '../unit-class.ts'
import { writtenTable } from './written-table.ts'

export const HOLD = writtenTable<Hold>('hold', {
  request_id: ['text', (row) => row.requestId],
  account: ['int', (row) => row.account],
  limit_account: ['int', (row) => row.limitAccount],
  amount: ['int8', (row) => row.amount],
  progress: ['text', (row) => row.progress],
  replica: ['text', (row) => row.replica],
  opened_ms: ['safe', (row) => row.openedMs],
  touched_ms: ['safe', (row) => row.touchedMs],
})

/** The account columns that a batch changes. On PostgreSQL, amounts and `requests` are increments. */
export const ACCOUNT_CHANGE = writtenTable<Account>('account', {
  id: ['int', (row) => row.id],
  posted: ['int8', (row) => row.posted],
  held: ['int8', (row) => row.held],
  spent: ['int8', (row) => row.spent],
  requests: ['safe', (row) => row.requests],
  unlimited: ['int', (row) => (row.unlimited ? 1 : 0)],
  last_ms: ['safe', (row) => row.lastMs],
})

export const BUDGET = writtenTable<Budget>('budget', {
  account: ['int', (row) => row.account],
  period: ['text', (row) => row.period],
  amount: ['int8', (row) => row.amount],
  window_start_ms: ['safe', (row) => row.windowStartMs],
  spent: ['int8', (row) => row.spent],
})

/** The columns of a code that redeeming changes. */
export const REDEEMED = writtenTable<Redemption>('redemption', {
  id: ['int', (row) => row.id],
  status: ['int', (row) => row.status],
  redeemed_by: ['int', (row) => row.redeemedBy],
  redeemed_ms: ['safe', (row) => row.redeemedMs],
})

export const TRANSFER = writtenTable<TransferRow>('transfer', {
  request_id: ['text', (row) => row.requestId],
  kind: ['text', (row) => row.kind],
  debit: ['int', (row) => row.debit],
  credit: ['int', (row) => row.credit],
  limit_account: ['int', (row) => row.limitAccount],
  amount: ['int8', (row) => row.amount],
  price_id: ['int', (row) => row.priceId],
  input_tokens: ['safe', (row) => row.tokens.input],
  cached_tokens: ['safe', (row) => row.tokens.cachedInput],
  cache_write_5m_tokens: ['safe', (row) => row.tokens.cacheWrite5m],
  cache_write_1h_tokens: ['safe', (row) => row.tokens.cacheWrite1h],
  output_tokens: ['safe', (row) => row.tokens.output],
  other_prompt_tokens: ['safe', (row) => promptUnits(row.tokens.units)],
  other_output_tokens: ['safe', (row) => outputUnits(row.tokens.units)],
  units: ['text', (row) => encodeUnits(row.tokens.units)],
  channel_id: ['int', (row) => row.channelId],
  model: ['text', (row) => row.model],
  actor: ['int', (row) => row.actor],
  reason: ['text', (row) => row.reason],
  at_ms: ['safe', (row) => row.atMs],
  refers_to: ['text', (row) => row.refersTo],
})

export const EVENT = writtenTable<LedgerEvent>('ledger_event', {
  kind: ['text', (row) => row.kind],
  account: ['int', (row) => row.account],
  subject: ['text', (row) => row.subject],
  amount: ['int8', (row) => row.amount],
})

export const PRICE = writtenTable<Price>('price', {
  content: ['text', (price) => priceContent(price)],
  input: ['int8', (price) => price.rates.input],
  cached_input: ['int8', (price) => price.rates.cachedInput],
  cache_write_5m: ['int8', (price) => price.rates.cacheWrite5m],
  cache_write_1h: ['int8', (price) => price.rates.cacheWrite1h],
  output: ['int8', (price) => price.rates.output],
  units: ['text', (price) => encodeUnits(price.rates.units)],
  group_ratio: ['int8', (price) => price.groupRatio],
  source: ['text', (price) => price.source],
})
