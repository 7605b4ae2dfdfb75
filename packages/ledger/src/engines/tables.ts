import { type Price, priceContent } from '../pricing.ts'
import type { Account, Budget, Hold, LedgerEvent, Redemption, TransferRow } from '../rules/rows.ts'
import { encodeUnits, outputUnits, promptUnits } from '../unit-class.ts'
import type { WrittenTable } from './written-table.ts'

export const HOLD: WrittenTable<Hold> = {
  name: 'hold',
  columns: {
    request_id: 'text',
    account: 'int',
    limit_account: 'int',
    amount: 'int8',
    progress: 'text',
    replica: 'text',
    opened_ms: 'safe',
    touched_ms: 'safe',
  },
  values: (row) => [
    row.requestId,
    row.account,
    row.limitAccount,
    row.amount,
    row.progress,
    row.replica,
    row.openedMs,
    row.touchedMs,
  ],
}

/** What a batch adds to the row of an account; only `unlimited` and `last_ms` replace. */
export const ACCOUNT_CHANGE: WrittenTable<Account> = {
  name: 'account',
  columns: {
    id: 'int',
    posted: 'int8',
    held: 'int8',
    spent: 'int8',
    requests: 'safe',
    unlimited: 'int',
    last_ms: 'safe',
  },
  values: (row) => [row.id, row.posted, row.held, row.spent, row.requests, row.unlimited ? 1 : 0, row.lastMs],
}

export const BUDGET: WrittenTable<Budget> = {
  name: 'budget',
  columns: { account: 'int', period: 'text', amount: 'int8', window_start_ms: 'safe', spent: 'int8' },
  values: (row) => [row.account, row.period, row.amount, row.windowStartMs, row.spent],
}

/** What redeeming changes in the row of a code. */
export const REDEEMED: WrittenTable<Redemption> = {
  name: 'redemption',
  columns: { id: 'int', status: 'int', redeemed_by: 'int', redeemed_ms: 'safe' },
  values: (row) => [row.id, row.status, row.redeemedBy, row.redeemedMs],
}

export const TRANSFER: WrittenTable<TransferRow> = {
  name: 'transfer',
  columns: {
    request_id: 'text',
    kind: 'text',
    debit: 'int',
    credit: 'int',
    limit_account: 'int',
    amount: 'int8',
    price_id: 'int',
    input_tokens: 'safe',
    cached_tokens: 'safe',
    cache_write_5m_tokens: 'safe',
    cache_write_1h_tokens: 'safe',
    output_tokens: 'safe',
    other_prompt_tokens: 'safe',
    other_output_tokens: 'safe',
    units: 'text',
    channel_id: 'int',
    model: 'text',
    actor: 'int',
    reason: 'text',
    at_ms: 'safe',
    refers_to: 'text',
  },
  values: (row) => [
    row.requestId,
    row.kind,
    row.debit,
    row.credit,
    row.limitAccount,
    row.amount,
    row.priceId,
    row.tokens.input,
    row.tokens.cachedInput,
    row.tokens.cacheWrite5m,
    row.tokens.cacheWrite1h,
    row.tokens.output,
    promptUnits(row.tokens.units),
    outputUnits(row.tokens.units),
    encodeUnits(row.tokens.units),
    row.channelId,
    row.model,
    row.actor,
    row.reason,
    row.atMs,
    row.refersTo,
  ],
}

export const EVENT: WrittenTable<LedgerEvent> = {
  name: 'ledger_event',
  columns: { kind: 'text', account: 'int', subject: 'text', amount: 'int8' },
  values: (row) => [row.kind, row.account, row.subject, row.amount],
}

export const PRICE: WrittenTable<Price> = {
  name: 'price',
  columns: {
    content: 'text',
    input: 'int8',
    cached_input: 'int8',
    cache_write_5m: 'int8',
    cache_write_1h: 'int8',
    output: 'int8',
    units: 'text',
    group_ratio: 'int8',
    source: 'text',
  },
  values: (price) => [
    priceContent(price),
    price.rates.input,
    price.rates.cachedInput,
    price.rates.cacheWrite5m,
    price.rates.cacheWrite1h,
    price.rates.output,
    encodeUnits(price.rates.units),
    price.groupRatio,
    price.source,
  ],
}
