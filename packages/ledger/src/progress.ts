import { PLAIN_SETTLED_LOG } from '@sluice/contract/fields/log'
import type { ConsumeLogRow, Settlement, TraceRow } from './operation.ts'
import type { Rates } from './pricing.ts'
import type { UnitClass, UnitRates } from './unit-class.ts'
import { mq } from './units.ts'

/** Bumped when the meaning of a stored field changes; recovery voids what it cannot read. */
const VERSION = 2

interface Stored extends Omit<Settlement, 'amount' | 'price' | 'trace' | 'log'> {
  readonly v: number
  readonly amount: string
  readonly price: {
    readonly rates: Record<Exclude<keyof Rates, 'units'>, string> & {
      readonly units?: { readonly [Class in UnitClass]?: string }
    }
    readonly groupRatio: string
    readonly source: string
  }
  /** Texts of earlier versions lack later fields and are still read. */
  readonly log: Partial<ConsumeLogRow>
  readonly trace: Omit<TraceRow, 'held'> & { readonly held: string }
}

/** JSON with 64-bit integers as decimal strings. Written out, because `JSON.stringify` with a replacer takes five times as long. */
export function encodeProgress(settlement: Settlement): string {
  const { amount, price, trace } = settlement
  const { input, cachedInput, cacheWrite5m, cacheWrite1h, output, units } = price.rates
  const stored: Stored = {
    v: VERSION,
    ...settlement,
    amount: amount.toString(),
    price: {
      rates: {
        input: input.toString(),
        cachedInput: cachedInput.toString(),
        cacheWrite5m: cacheWrite5m.toString(),
        cacheWrite1h: cacheWrite1h.toString(),
        output: output.toString(),
        ...(units !== undefined && { units: writeRates(units) }),
      },
      groupRatio: price.groupRatio.toString(),
      source: price.source,
    },
    trace: { ...trace, held: trace.held.toString() },
  }
  return JSON.stringify(stored)
}

function writeRates(units: UnitRates): { readonly [Class in UnitClass]?: string } {
  return Object.fromEntries(Object.entries(units).map(([name, rate]) => [name, String(rate)]))
}

/** Undefined when another version of this program wrote the text. */
export function decodeProgress(text: string): Settlement | undefined {
  const { v, ...stored } = JSON.parse(text) as Stored
  if (v !== VERSION) return undefined
  const { input, cachedInput, cacheWrite5m, cacheWrite1h, output, units } = stored.price.rates
  return {
    ...stored,
    amount: mq(BigInt(stored.amount)),
    log: { ...PLAIN_SETTLED_LOG, ...stored.log },
    price: {
      rates: {
        input: BigInt(input),
        cachedInput: BigInt(cachedInput),
        cacheWrite5m: BigInt(cacheWrite5m),
        cacheWrite1h: BigInt(cacheWrite1h),
        output: BigInt(output),
        units: units && readRates(units),
      },
      groupRatio: BigInt(stored.price.groupRatio),
      source: stored.price.source,
    },
    trace: { ...stored.trace, held: mq(BigInt(stored.trace.held)) },
  }
}

function readRates(stored: { readonly [Class in UnitClass]?: string }): UnitRates {
  return Object.fromEntries(Object.entries(stored).map(([name, rate]) => [name, BigInt(rate)]))
}
