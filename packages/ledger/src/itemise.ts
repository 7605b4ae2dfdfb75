import { ATOMS_PER_MQ, type Price, type TokenCounts } from './pricing.ts'
import { UNIT_CLASSES, type UnitClass } from './unit-class.ts'
import { type Mq, mq } from './units.ts'

/** Everything that can be charged, in the order in which it is shown. */
export const CHARGE_CLASSES = [
  'input',
  'cached_input',
  'cache_write_5m',
  'cache_write_1h',
  'output',
  ...UNIT_CLASSES,
] as const
export type ChargeClass = (typeof CHARGE_CLASSES)[number]

export interface ChargeLine {
  readonly class: ChargeClass
  readonly count: number
  /** Price of one unit in 10^-9 quota points; undefined if the price lacks this rate, which a charge of this program never does. */
  readonly rate: bigint | undefined
  /** count × rate, in 10^-9 quota points. */
  readonly amount: bigint
}

/** A charge in steps that can be redone by hand: lines → list → × group ratio → rounded. */
export interface ItemisedCharge {
  readonly lines: readonly ChargeLine[]
  /** Sum of the lines, in 10^-9 quota points. */
  readonly list: bigint
  /** list × group ratio, in 10^-15 quota points. */
  readonly exact: bigint
  /** `exact` rounded up to one mq: what `charge` returns. */
  readonly total: Mq
}

/** The steps of `charge` one by one; never throws. A class without a rate adds nothing, so the total will not agree. */
export function itemise(tokens: Omit<TokenCounts, 'reasoning'>, price: Omit<Price, 'source'>): ItemisedCharge {
  const lines = CHARGE_CLASSES.flatMap((name): ChargeLine[] => {
    const count = countOf(tokens, name)
    const rate = rateOf(price.rates, name)
    return count === 0 ? [] : [{ class: name, count, rate, amount: BigInt(count) * (rate ?? 0n) }]
  })
  const list = lines.reduce((sum, { amount }) => sum + amount, 0n)
  const exact = list * price.groupRatio
  return { lines, list, exact, total: mq((exact + ATOMS_PER_MQ - 1n) / ATOMS_PER_MQ) }
}

export function countOf(tokens: Omit<TokenCounts, 'reasoning'>, name: ChargeClass): number {
  switch (name) {
    case 'input':
    case 'output':
      return tokens[name]
    case 'cached_input':
      return tokens.cachedInput
    case 'cache_write_5m':
      return tokens.cacheWrite5m
    case 'cache_write_1h':
      return tokens.cacheWrite1h
    default:
      return tokens.units?.[name satisfies UnitClass] ?? 0
  }
}

/** Price of one unit of a class in 10^-9 quota points; undefined when the price has no such rate. */
export function rateOf(rates: Price['rates'], name: ChargeClass): bigint | undefined {
  switch (name) {
    case 'input':
    case 'output':
      return rates[name]
    case 'cached_input':
      return rates.cachedInput
    case 'cache_write_5m':
      return rates.cacheWrite5m
    case 'cache_write_1h':
      return rates.cacheWrite1h
    default:
      return rates.units?.[name satisfies UnitClass]
  }
}
