import type { ChargedPrice, ExportedCharge, PriceSource } from '@sluice/contract/receipt'
import { decimalText, RATE_PLACES, RATIO_PLACES } from '@sluice/ledger/decimal-text'
import { CHARGE_CLASSES, countOf, itemise, type ItemisedCharge, rateOf } from '@sluice/ledger/itemise'
import type { Price, TokenCounts } from '@sluice/ledger/pricing'
import { decodeCounts, decodeRates } from '@sluice/ledger/unit-class'
import type { StoredMovement, StoredPrice } from '@sluice/store/queries/ledger/movements'

/** Whether the caller may know the channel of a request. */
export interface ReceiptView {
  readonly showChannel: boolean
}

/** The cost of the whole request, computed from the counts and the price of one row. */
export function calculationOf(movement: StoredMovement, price: StoredPrice): ItemisedCharge {
  return itemise(countsOf(movement), { rates: ratesOf(price), groupRatio: price.group_ratio })
}

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

export function unitsOnWire(movement: StoredMovement): ExportedCharge['units'] {
  const counts = countsOf(movement)
  return Object.fromEntries(
    CHARGE_CLASSES.flatMap((name) => {
      const count = countOf(counts, name)
      return count === 0 ? [] : [[name, count]]
    }),
  )
}

const KINDS = ['book', 'channel', 'override', 'policy', 'external'] as const
/** `book:<version>`, `channel:<id>`, `override`, `policy:<name>` or `external`, then tier and time window if they applied. */
const SOURCE = /^([^:;]*)(?::([^;]*))?(?:;tier:([^;]*))?(?:;window:(.*))?$/s

/** Reads the source of a price; see `Price.source` of the ledger. */
export function sourceOnWire(source: string, { showChannel }: ReceiptView): PriceSource {
  const [, name, subject = '', tier = '', window = ''] = SOURCE.exec(source) ?? []
  const kind = KINDS.find((each) => each === name) ?? 'other'
  return {
    kind,
    name: kind === 'book' || kind === 'policy' ? subject : '',
    channel: kind === 'channel' && showChannel && /^\d{1,10}$/.test(subject) ? Number(subject) : 0,
    tier,
    window,
  }
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
