import { CHARGE_CLASSES, priceBook, type ChargedPrice } from '@sluice/contract/receipt'
import { parseDecimalText, RATE_PLACES, RATIO_PLACES } from '@sluice/ledger/decimal-text'
import type { Price } from '@sluice/ledger/pricing'
import { UNIT_CLASSES } from '@sluice/ledger/unit-class'
import * as v from 'valibot'

/** The parts of a price that a charge needs. */
export type BookPrice = Omit<Price, 'source'>

/** A file of prices: as the console saves it, or the unchanged reply of `GET /api/prices/book`. */
const bookFile = v.union([
  priceBook,
  v.pipe(
    v.object({ data: priceBook }),
    v.transform(({ data }) => data),
  ),
])

/** Adds the prices of a file to `book`; returns the fault of the file, or an empty text. */
export function readPriceBook(text: string, book: Map<number, BookPrice>): string {
  const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), bookFile), text)
  if (!parsed.success) return 'is not a price book in the format sluice-price-book-1'
  for (const stated of parsed.output.prices) {
    const price = priceOf(stated)
    if (price === undefined) return `price ${stated.id}: a rate or its group ratio cannot be read`
    const other = book.get(stated.id)
    if (other !== undefined && contentOf(other) !== contentOf(price))
      return `price ${stated.id} occurs twice, with different rates`
    book.set(stated.id, price)
  }
  return ''
}

function priceOf({ rates, group_ratio }: ChargedPrice): BookPrice | undefined {
  const read = new Map(
    CHARGE_CLASSES.flatMap((name) => {
      const text = rates[name]
      return text === undefined ? [] : [[name, parseDecimalText(text, RATE_PLACES)] as const]
    }),
  )
  const groupRatio = parseDecimalText(group_ratio, RATIO_PLACES)
  const five = {
    input: read.get('input'),
    cachedInput: read.get('cached_input'),
    cacheWrite5m: read.get('cache_write_5m'),
    cacheWrite1h: read.get('cache_write_1h'),
    output: read.get('output'),
  }
  if (groupRatio === undefined || !isComplete(five) || [...read.values()].includes(undefined)) return undefined
  const units = UNIT_CLASSES.flatMap((name) => {
    const rate = read.get(name)
    return rate === undefined ? [] : [[name, rate] as const]
  })
  return { rates: { ...five, units: Object.fromEntries(units) }, groupRatio }
}

function isComplete<Name extends string>(
  rates: Readonly<Record<Name, bigint | undefined>>,
): rates is Readonly<Record<Name, bigint>> {
  return Object.values(rates).every((rate) => rate !== undefined)
}

function contentOf(price: BookPrice): string {
  return JSON.stringify(price, (_key, value: unknown) => (typeof value === 'bigint' ? String(value) : value))
}
