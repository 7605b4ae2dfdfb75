import { parseAttempts } from '@sluice/contract/log'
import type { Calculation, Movement, Receipt } from '@sluice/contract/receipt'
import { decimalText, MQ_PLACES, RATE_PLACES, RATIO_PLACES } from '@sluice/ledger/decimal-text'
import type { ItemisedCharge } from '@sluice/ledger/itemise'
import { proveCharge, signedAmount } from '@sluice/ledger/proof/prove-charge'
import type { StoredMovement, StoredPrice } from '@sluice/store/queries/ledger/movements'
import type { LogRow } from '@sluice/store/queries/logs/logs'
import type { StoredTrace } from '@sluice/store/queries/logs/traces'
import { calculationOf, type ReceiptView, sourceOnWire } from './stored-charge.ts'

/** The stored rows of one charged request. Rows that were cleared, or never written, are absent. */
export interface StoredRequest {
  readonly requestId: string
  readonly log: LogRow | undefined
  readonly trace: StoredTrace | undefined
  /** In chronological order; empty when the ledger's rows have been removed. */
  readonly movements: readonly StoredMovement[]
  readonly prices: ReadonlyMap<number, StoredPrice>
}

/** Decimals of list price × ratio: rates have nine, ratios six. */
const EXACT_PLACES = RATE_PLACES + RATIO_PLACES

interface Priced extends StoredMovement {
  readonly price: StoredPrice | undefined
  readonly calculation: ItemisedCharge | undefined
}

/**
 * The receipt of a request, computed only from its stored rows, not from current settings or the price book. `missing` names rows
 * that are gone; the others are still shown. Undefined when neither row nor charge is left.
 */
export function receiptOf(stored: StoredRequest, view: ReceiptView): Receipt | undefined {
  const { log, trace, prices } = stored
  const movements = stored.movements.map((row): Priced => {
    const price = row.price_id === null ? undefined : prices.get(row.price_id)
    return { ...row, price, calculation: price && calculationOf(row, price) }
  })
  const charge = movements[0]
  if (log === undefined && charge === undefined) return undefined
  const { net, wrong } = proveCharge(movements)
  const isUnpriced = movements.some(({ price, kind }) => price === undefined && kind !== 'admin-refund')
  return {
    log_id: log?.id ?? 0,
    request_id: stored.requestId,
    created_at: log?.created_at ?? Math.floor((charge?.at_ms ?? 0) / 1_000),
    username: log?.username ?? '',
    token_name: log?.token_name ?? '',
    group: trace === undefined ? '' : (parseAttempts(trace.attempts).at(-1)?.group ?? ''),
    model_name: log?.model_name ?? charge?.model ?? '',
    origin_model_name: log?.origin_model_name ?? '',
    movements: movements.map((movement) => movementOnWire(movement, view)),
    net: points(charge === undefined ? (log?.amount ?? 0n) : net),
    fault: isUnpriced ? '' : (wrong?.fault ?? logFault(log, movements)),
    // Older traces, from before holds were recorded, contain 0.
    held: trace === undefined || trace.held === 0n ? '' : points(trace.held),
    ended: log?.ended ?? '',
    usage: {
      estimated: log?.estimated === 1,
      reasoning_tokens: log?.reasoning_tokens ?? 0,
      upstream: trace?.upstream_usage ?? '',
    },
    missing: [
      ...(charge === undefined ? (['transfer'] as const) : []),
      ...(isUnpriced ? (['price'] as const) : []),
      ...(log === undefined ? (['log'] as const) : []),
      ...(trace === undefined ? (['trace'] as const) : []),
    ],
  }
}

/** The log row has the charge before any refund; it must agree with the ledger. */
function logFault(log: LogRow | undefined, movements: readonly Priced[]): Receipt['fault'] {
  if (log === undefined || movements.length === 0) return ''
  const charged = movements
    .filter(({ kind }) => kind !== 'admin-refund')
    .reduce((sum, movement) => sum + signedAmount(movement), 0n)
  return charged === log.amount ? '' : 'log_differs'
}

function movementOnWire(movement: Priced, view: ReceiptView): Movement {
  const { price, calculation } = movement
  return {
    kind: movement.kind,
    at: movement.at_ms,
    amount: points(signedAmount(movement)),
    ...(price && calculation && { calculation: calculationOnWire(calculation, price, view) }),
    reason: movement.reason,
    actor_name: view.showChannel ? movement.actorName : '',
  }
}

function calculationOnWire(
  { lines, list, exact, total }: ItemisedCharge,
  price: StoredPrice,
  view: ReceiptView,
): Calculation {
  return {
    lines: lines.map((line) => ({
      class: line.class,
      count: line.count,
      rate: line.rate === undefined ? '' : decimalText(line.rate, RATE_PLACES),
      amount: decimalText(line.amount, RATE_PLACES),
    })),
    list: decimalText(list, RATE_PLACES),
    group_ratio: decimalText(price.group_ratio, RATIO_PLACES),
    exact: decimalText(exact, EXACT_PLACES),
    total: points(total),
    price_id: price.id,
    source: sourceOnWire(price.source, view),
  }
}

function points(amount: bigint): string {
  return decimalText(amount, MQ_PLACES)
}
