import type { BatchResult } from '../engine.ts'
import type { Balance, Operation, Outcome, Settlement, TraceRow } from '../operation.ts'
import type { UnitCounts, UnitRates } from '../unit-class.ts'
import type { Mq } from '../units.ts'

/**
 * A batch as it travels to the database thread and its result as it comes back. Structured clone writes the name of every
 * key of every object, which cost more than the rest of a message; so the operations of every request travel as one flat
 * list of values, in the order in which they are read again here. Operations that are rare travel as they are.
 */
export type BatchMessage = readonly unknown[]

/** Outcomes, then four values for each balance. `done`, the common outcome, is 0. */
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
        const { requestId, account, limitAccount, amount, at, durable } = operation
        out.push(HOLD, requestId, account, limitAccount, amount, at, durable)
        break
      }
      case 'settle':
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
  const from = new Reader(message)
  while (from.hasMore) batch.push(readOperation(from))
  return batch
}

export function encodeResult({ outcomes, balances }: BatchResult): ResultMessage {
  return [
    outcomes.map((outcome) => (outcome.outcome === 'done' ? DONE : outcome)),
    balances.flatMap(({ account, available, unlimited, budgetLeft }) => [account, available, unlimited, budgetLeft]),
  ]
}

export function decodeResult([outcomes, values]: ResultMessage): BatchResult {
  const balances: Balance[] = []
  const from = new Reader(values)
  while (from.hasMore) {
    balances.push({
      account: from.number(),
      available: from.mq(),
      unlimited: from.boolean(),
      budgetLeft: from.any() as Mq | undefined,
    })
  }
  return { outcomes: outcomes.map((outcome) => (outcome === DONE ? { outcome: 'done' } : outcome)), balances }
}

/** The values of a message, one after the other. Both ends run the same program, so their types are known by position. */
class Reader {
  private readonly values: readonly unknown[]
  private at = 0

  constructor(values: readonly unknown[]) {
    this.values = values
  }

  get hasMore(): boolean {
    return this.at < this.values.length
  }

  any(): unknown {
    return this.values[this.at++]
  }

  string(): string {
    return this.values[this.at++] as string
  }

  number(): number {
    return this.values[this.at++] as number
  }

  bigint(): bigint {
    return this.values[this.at++] as bigint
  }

  mq(): Mq {
    return this.values[this.at++] as Mq
  }

  boolean(): boolean {
    return this.values[this.at++] as boolean
  }
}

// An object literal is evaluated in the order in which it is written, so each reads as its counterpart writes.

function readOperation(from: Reader): Operation {
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

function writeSettlement(out: unknown[], settlement: Settlement): void {
  const { price, tokens, log } = settlement
  const { rates } = price
  out.push(settlement.requestId, settlement.account, settlement.limitAccount, settlement.amount)
  out.push(rates.input, rates.cachedInput, rates.cacheWrite5m, rates.cacheWrite1h, rates.output, rates.units)
  out.push(price.groupRatio, price.source)
  out.push(tokens.input, tokens.cachedInput, tokens.cacheWrite5m, tokens.cacheWrite1h)
  out.push(tokens.output, tokens.reasoning, tokens.units)
  out.push(settlement.userId, settlement.tokenId, settlement.channelId, settlement.model)
  out.push(log.createdAt, log.username, log.tokenName, log.channelName, log.originModel)
  out.push(log.elapsedMs, log.isStream, log.estimated, log.ended, log.content, log.unlogged === true)
  writeTrace(out, settlement.trace)
}

function readSettlement(from: Reader): Settlement {
  return {
    requestId: from.string(),
    account: from.number(),
    limitAccount: from.number(),
    amount: from.mq(),
    price: {
      rates: {
        input: from.bigint(),
        cachedInput: from.bigint(),
        cacheWrite5m: from.bigint(),
        cacheWrite1h: from.bigint(),
        output: from.bigint(),
        units: from.any() as UnitRates | undefined,
      },
      groupRatio: from.bigint(),
      source: from.string(),
    },
    tokens: {
      input: from.number(),
      cachedInput: from.number(),
      cacheWrite5m: from.number(),
      cacheWrite1h: from.number(),
      output: from.number(),
      reasoning: from.number(),
      units: from.any() as UnitCounts | undefined,
    },
    userId: from.number(),
    tokenId: from.number(),
    channelId: from.number(),
    model: from.string(),
    log: {
      createdAt: from.number(),
      username: from.string(),
      tokenName: from.string(),
      channelName: from.string(),
      originModel: from.string(),
      elapsedMs: from.number(),
      isStream: from.boolean(),
      estimated: from.boolean(),
      ended: from.string(),
      content: from.string(),
      unlogged: from.boolean(),
    },
    trace: readTrace(from),
  }
}

function writeTrace(out: unknown[], trace: TraceRow): void {
  out.push(trace.requestId, trace.userId, trace.url, trace.method, trace.status, trace.bodySize)
  out.push(trace.received, trace.forwarded, trace.firstUpstream, trace.firstClient)
  out.push(trace.upstreamCompleted, trace.completed, trace.attempts, trace.held, trace.upstreamUsage, trace.routing)
}

function readTrace(from: Reader): TraceRow {
  return {
    requestId: from.string(),
    userId: from.number(),
    url: from.string(),
    method: from.string(),
    status: from.number(),
    bodySize: from.number(),
    received: from.number(),
    forwarded: from.number(),
    firstUpstream: from.number(),
    firstClient: from.number(),
    upstreamCompleted: from.number(),
    completed: from.number(),
    attempts: from.string(),
    held: from.mq(),
    upstreamUsage: from.string(),
    routing: from.string(),
  }
}
