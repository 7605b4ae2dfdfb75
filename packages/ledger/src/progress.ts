import type { Settlement } from './operation.ts'
import { mq } from './units.ts'

/** Bumped when the meaning of a stored field changes; recovery voids what it cannot read. */
const VERSION = 1

interface Stored extends Omit<Settlement, 'amount' | 'price'> {
  readonly v: number
  readonly amount: string
  readonly price: {
    readonly rates: Record<keyof Settlement['price']['rates'], string>
    readonly groupRatio: string
    readonly source: string
  }
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
  const { input, cachedInput, cacheWrite5m, cacheWrite1h, output } = stored.price.rates
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
      },
      groupRatio: BigInt(stored.price.groupRatio),
      source: stored.price.source,
    },
  }
}
