import { PLAIN_SETTLED_LOG, SETTLED_LOG } from '@sluice/contract/fields/log'
import type { ConsumeLogRow, Settlement, TraceRow } from './operation.ts'
import type { UnitClass, UnitCounts, UnitRates } from './unit-class.ts'
import { type Mq, mq } from './units.ts'

/**
 * The values of a list, one after the other. The same program wrote them, so their types are known by position; a 64-bit integer
 * may have become decimal text in transit, and a value that was undefined may be null.
 */
export class ValueReader {
  readonly #values: readonly unknown[]
  #at = 0

  constructor(values: readonly unknown[]) {
    this.#values = values
  }

  get hasMore(): boolean {
    return this.#at < this.#values.length
  }

  any(): unknown {
    return this.#values[this.#at++]
  }

  string(): string {
    return this.#values[this.#at++] as string
  }

  number(): number {
    return this.#values[this.#at++] as number
  }

  bigint(): bigint {
    return BigInt(this.#values[this.#at++] as bigint | string)
  }

  mq(): Mq {
    return mq(this.bigint())
  }

  boolean(): boolean {
    return this.#values[this.#at++] as boolean
  }
}

/** Log row values in writing order. */
const LOG_NAMES = [...SETTLED_LOG, 'unlogged'] as const

// Each function reads in the order in which its counterpart writes, and both are written out: a single definition for both
// directions took 1 µs more of the relay's thread for each charge. The test distinguishes every value from its neighbours.

export function writeSettlement(out: unknown[], settlement: Settlement): void {
  const { price, tokens, log } = settlement
  const { rates } = price
  out.push(settlement.requestId, settlement.account, settlement.limitAccount, settlement.amount)
  out.push(rates.input, rates.cachedInput, rates.cacheWrite5m, rates.cacheWrite1h, rates.output, rates.units)
  out.push(price.groupRatio, price.source)
  out.push(tokens.input, tokens.cachedInput, tokens.cacheWrite5m, tokens.cacheWrite1h)
  out.push(tokens.output, tokens.reasoning, tokens.units)
  out.push(settlement.userId, settlement.tokenId, settlement.channelId, settlement.model)
  for (const name of SETTLED_LOG) out.push(log[name])
  out.push(log.unlogged === true)
  writeTrace(out, settlement.trace)
}

/** Without `logNames`, reads what `writeSettlement` wrote; with them, a list in which the log row values had this order. */
export function readSettlement(from: ValueReader, logNames: readonly (keyof ConsumeLogRow)[] = LOG_NAMES): Settlement {
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
        units: readRates(from.any() as Parameters<typeof readRates>[0]),
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
      units: (from.any() as UnitCounts | null | undefined) ?? undefined,
    },
    userId: from.number(),
    tokenId: from.number(),
    channelId: from.number(),
    model: from.string(),
    log: readLog(from, logNames),
    trace: readTrace(from),
  }
}

function readLog(from: ValueReader, names: readonly (keyof ConsumeLogRow)[]): ConsumeLogRow {
  const log: Record<string, unknown> = { ...PLAIN_SETTLED_LOG }
  for (const name of names) log[name] = from.any()
  return log as unknown as ConsumeLogRow
}

function readRates(
  units: { readonly [Class in UnitClass]?: bigint | string } | null | undefined,
): UnitRates | undefined {
  if (units === null || units === undefined) return undefined
  return Object.fromEntries(Object.entries(units).map(([name, rate]) => [name, BigInt(rate)]))
}

export function writeTrace(out: unknown[], trace: TraceRow): void {
  out.push(trace.requestId, trace.userId, trace.url, trace.method, trace.status, trace.bodySize)
  out.push(trace.received, trace.forwarded, trace.firstUpstream, trace.firstClient)
  out.push(trace.upstreamCompleted, trace.completed, trace.attempts, trace.held, trace.upstreamUsage, trace.routing)
}

export function readTrace(from: ValueReader): TraceRow {
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
