import type { BatchResult } from '../engine.ts'
import type { Balance, Operation, Outcome } from '../operation.ts'
import { readSettlement, readTrace, ValueReader, writeSettlement, writeTrace } from '../settlement-values.ts'
import type { Mq } from '../units.ts'

/**
 * A batch as it travels to the database thread and its result as it comes back. Structured clone writes every key name of every
 * object, which would cost more than the rest of a message, so the operations that every request causes travel as one flat list of
 * values, in the order in which they are read back here. Rare operations travel unchanged.
 */
export type BatchMessage = readonly unknown[]

/** Outcomes, then five values for each balance. `done`, the common outcome, is 0. */
export type ResultMessage = readonly [outcomes: readonly (Outcome | typeof DONE)[], balances: readonly unknown[]]

const HOLD = 1
const SETTLE = 2
const VOID = 3
const OTHER = 4
const DONE = 0

export function encodeBatch(batch: readonly Operation[]): BatchMessage {
  const out: unknown[] = []
  for (const operation of batch) {
    switch (operation.op) {
      case 'hold': {
        if (operation.lease !== undefined) {
          out.push(OTHER, operation)
          break
        }
        const { requestId, account, limitAccount, amount, at, durable } = operation
        out.push(HOLD, requestId, account, limitAccount, amount, at, durable)
        break
      }
      case 'settle':
        if (operation.lease !== undefined) {
          out.push(OTHER, operation)
          break
        }
        out.push(SETTLE)
        writeSettlement(out, operation.settlement)
        break
      case 'void':
        out.push(VOID, operation.requestId, operation.trace !== undefined)
        if (operation.trace !== undefined) writeTrace(out, operation.trace)
        break
      default:
        out.push(OTHER, operation)
    }
  }
  return out
}

export function decodeBatch(message: BatchMessage): Operation[] {
  const batch: Operation[] = []
  const from = new ValueReader(message)
  while (from.hasMore) batch.push(readOperation(from))
  return batch
}

export function encodeResult({ outcomes, balances }: BatchResult): ResultMessage {
  return [
    outcomes.map((outcome) => (outcome.outcome === 'done' ? DONE : outcome)),
    balances.flatMap(({ account, available, unlimited, budgetLeft, budgetsSince }) => [
      account,
      available,
      unlimited,
      budgetLeft,
      budgetsSince,
    ]),
  ]
}

export function decodeResult([outcomes, values]: ResultMessage): BatchResult {
  const balances: Balance[] = []
  const from = new ValueReader(values)
  while (from.hasMore) {
    balances.push({
      account: from.number(),
      available: from.mq(),
      unlimited: from.boolean(),
      budgetLeft: from.any() as Mq | undefined,
      budgetsSince: from.any() as number | undefined,
    })
  }
  return { outcomes: outcomes.map((outcome) => (outcome === DONE ? { outcome: 'done' } : outcome)), balances }
}

function readOperation(from: ValueReader): Operation {
  switch (from.number()) {
    case HOLD:
      return {
        op: 'hold',
        requestId: from.string(),
        account: from.number(),
        limitAccount: from.number(),
        amount: from.mq(),
        at: from.number(),
        durable: from.boolean(),
      }
    case SETTLE:
      return { op: 'settle', settlement: readSettlement(from) }
    case VOID: {
      const requestId = from.string()
      return from.boolean() ? { op: 'void', requestId, trace: readTrace(from) } : { op: 'void', requestId }
    }
    default:
      return from.any() as Operation
  }
}
