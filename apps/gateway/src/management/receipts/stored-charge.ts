import type { ChargedPrice, ExportedCharge, PriceSource } from '@sluice/contract/receipt'
import { decimalText, RATE_PLACES, RATIO_PLACES } from '@sluice/ledger/decimal-text'
import { CHARGE_CLASSES, countOf, itemise, type ItemisedCharge, rateOf } from '@sluice/ledger/itemise'
import type { Price, TokenCounts } from '@sluice/ledger/pricing'
import { decodeCounts, decodeRates } from '@sluice/ledger/unit-class'
import type { StoredMovement, StoredPrice } from '@sluice/store/queries/movements'

/** Whether the caller may know through which channel a request went. */
export interface ReceiptView {
  readonly showChannel: boolean
}

/** What the whole request costs by the counts and the price of one row. */
export function calculationOf(movement: StoredMovement, price: StoredPrice): ItemisedCharge {
  return itemise(countsOf(movement), { rates: ratesOf(price), groupRatio: price.group_ratio })
}

/** A stored price on the wire, exactly. */
export function priceOnWire(price: StoredPrice, view: ReceiptView): ChargedPrice {
  const rates = ratesOf(price)
  return {
    id: price.id,
    rates: Object.fromEntries(
      CHARGE_CLASSES.flatMap((name) => {
        const rate = rateOf(rates, name)
        return rate === undefined ? [] : [[name, decimalText(rate, RATE_PLACES)]]
      }),
    ),
    group_ratio: decimalText(price.group_ratio, RATIO_PLACES),
    source: sourceOnWire(price.source, view),
  }
}

/** Counts of a row by class, without those that are zero. */
export function unitsOnWire(movement: StoredMovement): ExportedCharge['units'] {
  const counts = countsOf(movement)
  return Object.fromEntries(
    CHARGE_CLASSES.flatMap((name) => {
      const count = countOf(counts, name)
      return count === 0 ? [] : [[name, count]]
    }),
  )
}

const KINDS = ['book', 'channel'] as const

/** Reads `book:<version>` or `channel:<id>`, each with `;tier:<description>` and `;window:<name>` where they held. */
export function sourceOnWire(source: string, { showChannel }: ReceiptView): PriceSource {
  const [origin = '', ...conditions] = source.split(';')
  const [name, subject = ''] = parted(origin)
  const condition = (wanted: string): string => conditions.map(parted).find(([key]) => key === wanted)?.[1] ?? ''
  return {
    kind: KINDS.find((kind) => kind === name) ?? (name === 'external' ? 'external' : 'other'),
    version: name === 'book' ? subject : '',
    channel: name === 'channel' && showChannel && /^\d{1,10}$/.test(subject) ? Number(subject) : 0,
    tier: condition('tier'),
    window: condition('window'),
  }
}

/** Name and the rest, at the first colon. */
function parted(text: string): readonly [string, string] {
  const at = text.indexOf(':')
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)]
}

function countsOf(row: StoredMovement): Omit<TokenCounts, 'reasoning'> {
  return {
    input: row.input_tokens,
    cachedInput: row.cached_tokens,
    cacheWrite5m: row.cache_write_5m_tokens,
    cacheWrite1h: row.cache_write_1h_tokens,
    output: row.output_tokens,
    units: decodeCounts(row.units),
  }
}

function ratesOf(price: StoredPrice): Price['rates'] {
  return {
    input: price.input,
    cachedInput: price.cached_input,
    cacheWrite5m: price.cache_write_5m,
    cacheWrite1h: price.cache_write_1h,
    output: price.output,
    units: decodeRates(price.units),
  }
}
