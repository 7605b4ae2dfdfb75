import { LOG, TRACE, USAGE, USAGE_KEY, USAGE_SUMS } from '@sluice/ledger/engines/log-tables'
import { TRANSFER } from '@sluice/ledger/engines/tables'
import type { SqlValue, WrittenTable } from '@sluice/ledger/engines/written-table'
import type { HoldOperation, Settlement } from '@sluice/ledger/operation'
import type { Hold, LogRow, TransferRow, UsageRow } from '@sluice/ledger/rules/rows'

/**
 * Row per transaction: what a gateway does that charges each request by itself. Both accounts are locked, the balances are
 * read and written, the hold and then the transfer are rows. No system account is written, which all requests would wait
 * for, and nobody looks whether the request was charged before.
 */
export interface PlainBooks {
  /** Rejects when the balance does not allow it. */
  hold(slot: number, operation: HoldOperation): Promise<void>
  settle(slot: number, settlement: Settlement): Promise<void>
  close(): Promise<void>
}

/** `money`: the transfer of a charge and nothing else. `all`: also its log row, its timeline and its daily sum, as Sluice. */
export type PlainRows = 'money' | 'all'

/** One row that a charge leaves. */
export interface ChargeStatement {
  readonly name: string
  readonly text: string
  readonly values: (settlement: Settlement) => SqlValue[]
}

/** The rows of a charge; `place` names the place of each value, counted from 1. */
export function chargeStatements(rows: PlainRows, place: (at: number) => string): readonly ChargeStatement[] {
  const transfer = insertSql(TRANSFER, place)
  const post = { name: 'post', text: transfer, values: (each: Settlement) => TRANSFER.values(transferRow(each)) }
  if (rows === 'money') return [post]
  const sums = USAGE_SUMS.map((column) => `${column} = usage_daily.${column} + excluded.${column}`).join(', ')
  const usage = `${insertSql(USAGE, place)} on conflict (${USAGE_KEY.join(', ')}) do update set ${sums}`
  return [
    post,
    { name: 'log', text: insertSql(LOG, place), values: (each) => LOG.values(logRow(each)) },
    { name: 'trace', text: insertSql(TRACE, place), values: ({ trace }) => TRACE.values(trace) },
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
  return { ...log, ...charge, type: 2 }
}

function usageRow({ userId, tokenId, channelId, model, amount, tokens, log }: Settlement): UsageRow {
  const day = Math.floor(log.createdAt / 86_400)
  const sums = { requests: 1, promptTokens: tokens.input, completionTokens: tokens.output, amount }
  return { day, userId, tokenId, channelId, model, ...sums }
}

export function insertSql(table: WrittenTable<never>, place: (at: number) => string): string {
  const columns = Object.keys(table.columns)
  return `insert into ${table.name} (${columns.join(', ')}) values (${columns.map((_, i) => place(i + 1)).join(', ')})`
}
