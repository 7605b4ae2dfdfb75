import { can } from '@sluice/contract/capability'
import type { Refusal } from '@sluice/contract/errors'
import { LOG_TYPE } from '@sluice/contract/log'
import type { ExportedCharge, PriceBook, Receipt } from '@sluice/contract/receipt'
import type { QueryOutput } from '@sluice/contract/route'
import * as routes from '@sluice/contract/routes/receipts'
import { decimalText, MQ_PLACES } from '@sluice/ledger/decimal-text'
import { pageOf } from '@sluice/store/paging'
import {
  findMovements,
  findPrices,
  listPrices,
  type StoredMovement,
  type StoredPrice,
} from '@sluice/store/queries/ledger/movements'
import type { LogFilter } from '@sluice/store/queries/logs/log-filter'
import { findLog, findLogOfRequest, listLogs, type LogRow } from '@sluice/store/queries/logs/logs'
import { findTrace } from '@sluice/store/queries/logs/traces'
import { type Binding, bind } from '../bind.ts'
import { createLogScope } from '../logs/log-scope.ts'
import type { SharedPorts } from '../ports.ts'
import type { Caller } from '../sessions/caller.ts'
import { receiptOf } from './receipt.ts'
import { createRefund } from './refund.ts'
import { priceOnWire, type ReceiptView, unitsOnWire } from './stored-charge.ts'

const NO_RECEIPT: Refusal = { code: 'receipt_not_found' }
const NEWEST = { column: 'created_at', direction: 'desc' } as const

export type ReceiptDeps = Pick<SharedPorts, 'database' | 'ledger' | 'options' | 'newId' | 'now'>

export function receiptRoutes(deps: ReceiptDeps): readonly Binding[] {
  const db = deps.database.kysely
  const scope = createLogScope(deps)
  const refund = createRefund(deps)

  /** A row that has been cleared, or will be soon, counts as absent. */
  const kept = (log: LogRow | undefined): LogRow | undefined =>
    log !== undefined && log.type === LOG_TYPE.consume && log.created_at >= scope.horizon() ? log : undefined

  const receipt = async (caller: Caller, requestId: string, log: LogRow | undefined) => {
    const movements = (await findMovements(db, [requestId])).get(requestId) ?? []
    const owner = log?.user_id ?? movements[0]?.userId
    // Another user's charge gets the same answer as one that does not exist (class S11).
    if (owner !== caller.id && !can(caller.role, 'logs.all')) return NO_RECEIPT
    const trace = await findTrace(db, requestId)
    const prices = await findPrices(db, movements.flatMap(priceOf))
    const isTraceKept = trace !== undefined && trace.received_ms >= scope.horizon() * 1_000
    const stored = { requestId, log, movements, prices, trace: isTraceKept ? trace : undefined }
    const found: Receipt | undefined = receiptOf(stored, viewOf(caller))
    return found === undefined ? NO_RECEIPT : { data: found }
  }

  const charges = async (caller: Caller, filter: LogFilter, query: QueryOutput<typeof routes.listCharges>) => {
    // Only charges have movements.
    const wanted = { ...filter, type: query.type <= 0 ? LOG_TYPE.consume : query.type }
    const { rows, total } =
      wanted.type === LOG_TYPE.consume ? await listLogs(db, wanted, NEWEST, pageOf(query)) : { rows: [], total: 0 }
    const movements = await findMovements(
      db,
      rows.flatMap(({ request_id }) => request_id ?? []),
    )
    const data = rows.flatMap((log) => (movements.get(log.request_id ?? '') ?? []).map((each) => exported(each, log)))
    const prices = await findPrices(db, [...movements.values()].flat().flatMap(priceOf))
    return { data, total, extra: { book: bookOf([...prices.values()], viewOf(caller)) } }
  }

  return [
    bind(routes.receiptOfLog, async ({ caller, id }) => {
      const log = kept(await findLog(db, id))
      return log?.request_id == null ? NO_RECEIPT : await receipt(caller, log.request_id, log)
    }),
    bind(routes.receiptOfRequest, async ({ caller, params }) =>
      receipt(caller, params.request_id, kept(await findLogOfRequest(db, params.request_id))),
    ),
    bind(routes.refundCharge, async ({ caller, id, body }) => {
      const log = kept(await findLog(db, id))
      if (log?.request_id == null) return NO_RECEIPT
      const { user_id: userId, username, request_id: requestId } = log
      return await refund(caller, { userId, username, requestId }, body)
    }),
    bind(routes.listCharges, async ({ caller, query }) => charges(caller, await scope.everybody(query), query)),
    bind(routes.listOwnCharges, async ({ caller, query }) => charges(caller, await scope.own(caller, query), query)),
    bind(routes.exportPriceBook, async ({ caller, query }) => ({
      data: bookOf(await listPrices(db, query.after, query.size), viewOf(caller)),
    })),
  ]
}

function viewOf(caller: Caller): ReceiptView {
  return { showChannel: can(caller.role, 'logs.all') }
}

function priceOf({ price_id }: StoredMovement): readonly number[] {
  return price_id === null ? [] : [price_id]
}

function bookOf(prices: readonly StoredPrice[], view: ReceiptView): PriceBook {
  return { format: 'sluice-price-book-1', prices: prices.map((price) => priceOnWire(price, view)) }
}

function exported(movement: StoredMovement, log: LogRow): ExportedCharge {
  return {
    request_id: movement.requestId,
    at: movement.at_ms,
    kind: movement.kind,
    username: log.username,
    token_name: log.token_name,
    model_name: log.model_name,
    units: unitsOnWire(movement),
    price_id: movement.price_id ?? 0,
    amount: decimalText(movement.amount, MQ_PLACES),
  }
}
