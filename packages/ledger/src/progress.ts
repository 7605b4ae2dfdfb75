import type { Settlement, TraceRow } from './operation.ts'
import type { Rates } from './pricing.ts'
import type { UnitClass, UnitRates } from './unit-class.ts'
import { mq } from './units.ts'

/** Bumped when the meaning of a stored field changes; recovery voids what it cannot read. */
const VERSION = 2

interface Stored extends Omit<Settlement, 'amount' | 'price' | 'trace'> {
  readonly v: number
  readonly amount: string
  readonly price: {
    readonly rates: Record<Exclude<keyof Rates, 'units'>, string> & {
      readonly units?: { readonly [Class in UnitClass]?: string }
    }
    readonly groupRatio: string
    readonly source: string
  }
  readonly trace: Omit<TraceRow, 'held'> & { readonly held: string }
}

/** A settlement as the text of `hold.progress`: JSON, 64-bit integers as decimal strings. */
export function encodeProgress(settlement: Settlement): string {
  return JSON.stringify({ v: VERSION, ...settlement }, (_key, value: unknown) =>
    typeof value === 'bigint' ? value.toString() : value,
  )
}

/** Undefined when another version of this program wrote the text. */
export function decodeProgress(text: string): Settlement | undefined {
  const { v, ...stored } = JSON.parse(text) as Stored
  if (v !== VERSION) return undefined
  const { input, cachedInput, cacheWrite5m, cacheWrite1h, output, units } = stored.price.rates
  return {
    ...stored,
    amount: mq(BigInt(stored.amount)),
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
