import { ADD_TO_USAGE, LOG, TRACE, USAGE } from '@sluice/ledger/engines/log-tables'
import { TRANSFER } from '@sluice/ledger/engines/tables'
import { insertInto, type SqlValue } from '@sluice/ledger/engines/written-table'
import type { HoldOperation, Settlement } from '@sluice/ledger/operation'
import { countColumns } from '@sluice/ledger/rules/charges'
import type { Hold, LogRow, TransferRow, UsageRow } from '@sluice/ledger/rules/rows'

/**
 * A transaction per request, as in a gateway that charges each request separately. It locks both accounts, reads and writes the
 * balances, and inserts the hold, then the transfer. It writes no system account, because all requests would wait for it, and does
 * not check whether the request was charged before.
 */
export interface PlainLedger {
  /** Rejects when the balance does not allow it. */
  hold(slot: number, operation: HoldOperation): Promise<void>
  settle(slot: number, settlement: Settlement): Promise<void>
  close(): Promise<void>
}

/** `money`: only the transfer of a charge. `all`: also its log row, its timeline and its daily sum, like Sluice. */
export type PlainRows = 'money' | 'all'

export interface ChargeStatement {
  readonly name: string
  readonly text: string
  readonly values: (settlement: Settlement) => SqlValue[]
}

/** The rows of a charge; `place` returns the placeholder of each value, from 1. */
export function chargeStatements(rows: PlainRows, place: (at: number) => string): readonly ChargeStatement[] {
  const transfer = insertInto(TRANSFER, place)
  const post = { name: 'post', text: transfer, values: (each: Settlement) => TRANSFER.values(transferRow(each)) }
  if (rows === 'money') return [post]
  const usage = `${insertInto(USAGE, place)} ${ADD_TO_USAGE}`
  return [
    post,
    { name: 'log', text: insertInto(LOG, place), values: (each) => LOG.values(logRow(each)) },
    { name: 'trace', text: insertInto(TRACE, place), values: ({ trace }) => TRACE.values(trace) },
    { name: 'usage', text: usage, values: (each) => USAGE.values(usageRow(each)) },
  ]
}

export function holdRow({ requestId, account, limitAccount, amount, at }: HoldOperation): Hold {
  const times = { openedMs: at, touchedMs: at }
  return { requestId, account, limitAccount, amount, progress: null, replica: 'plain', ...times }
}

function transferRow(settlement: Settlement): TransferRow {
  const { requestId, account, limitAccount, amount, tokens, channelId, model, log } = settlement
  return {
    requestId,
    kind: 'consume',
    debit: account,
    credit: null,
    limitAccount,
    amount,
    priceId: null,
    tokens,
    channelId,
    model,
    actor: 0,
    reason: '',
    atMs: log.createdAt * 1_000,
    refersTo: null,
  }
}

function logRow({ log, ...charge }: Settlement): LogRow {
  return { ...log, ...charge, ...countColumns(charge.tokens), type: 2, saved: 0n }
}

function usageRow({ userId, tokenId, channelId, model, amount, tokens, log }: Settlement): UsageRow {
  const day = Math.floor(log.createdAt / 86_400)
  const sums = { requests: 1, promptTokens: tokens.input, completionTokens: tokens.output, amount }
  return { day, userId, tokenId, channelId, model, ...sums }
}
