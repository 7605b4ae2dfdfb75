import { kindOf } from '../kinds/all.ts'
import currentBook from './books/2026-11-22.json' with { type: 'json' }
import { compileRow, type Period } from './compile-row.ts'
import type { PriceBook, PriceRow, Seller } from './price-row.ts'

/** The newest book, which prices today's charges. */
// `books.test.ts` proves that every committed book is well-formed.
export const CURRENT_BOOK = currentBook as PriceBook
export const BOOK_VERSION: string = CURRENT_BOOK.version

const EARLIER: Readonly<Record<string, () => Promise<PriceBook>>> = {
  '2026-11-21': async () => (await import('./books/2026-11-21.json', { with: { type: 'json' } })).default as PriceBook,
  '2026-11-20': async () => (await import('./books/2026-11-20.json', { with: { type: 'json' } })).default as PriceBook,
}

/** Newest first. */
export const BOOK_VERSIONS: readonly string[] = [BOOK_VERSION, ...Object.keys(EARLIER).toSorted().toReversed()]

export async function bookOfVersion(version: string): Promise<PriceBook | undefined> {
  if (version === BOOK_VERSION) return CURRENT_BOOK
  return Object.hasOwn(EARLIER, version) ? await EARLIER[version]?.() : undefined
}

export interface BookEntry {
  readonly model: string
  readonly row: PriceRow
  readonly version: string
  /** Yuan per dollar of the row's prices; '1' when they are dollars. */
  readonly yuanPerDollar: string
}

/** The model's row for this kind, by exact name: from the kind's seller, otherwise from the model's vendor. */
export function bookEntry(kindCode: number, model: string, book: PriceBook = CURRENT_BOOK): BookEntry | undefined {
  const sells = ({ models }: Seller): boolean => Object.hasOwn(models, model)
  const seller =
    book.sellers.find((each) => each.kinds.includes(kindCode) && sells(each)) ??
    book.sellers.find((each) => each.resold !== true && sells(each))
  return seller && entryOf(book, seller, model)
}

export function bookEntries(kindCode: number): readonly BookEntry[] {
  const isAnyServer = kindOf(kindCode)?.isAnyServer === true
  const sellers = CURRENT_BOOK.sellers.filter((seller) =>
    isAnyServer ? seller.resold !== true : seller.kinds.includes(kindCode),
  )
  const entries = new Map<string, BookEntry>()
  for (const seller of sellers) {
    for (const model of Object.keys(seller.models)) {
      const entry = entries.has(model) ? undefined : entryOf(CURRENT_BOOK, seller, model)
      if (entry !== undefined) entries.set(model, entry)
    }
  }
  return [...entries.values()]
}

/** The kind of the model's vendor, otherwise of its seller. */
export function vendorKind(model: string): number | undefined {
  const sellers = CURRENT_BOOK.sellers.filter(({ models }) => Object.hasOwn(models, model))
  return (sellers.find(({ resold }) => resold !== true) ?? sellers[0])?.kinds[0]
}

/** Prices over time. Computed on every call, so keep the result. */
export function pricesOver({ row, yuanPerDollar }: BookEntry): readonly Period[] {
  return compileRow(row, yuanPerDollar)
}

function entryOf(book: PriceBook, seller: Seller, model: string): BookEntry | undefined {
  const row = seller.models[model]
  const yuanPerDollar = seller.currency === 'CNY' ? book.yuanPerDollar : '1'
  return row && { model, row, version: book.version, yuanPerDollar }
}

/**
 * The day from which the vendor of a kind no longer serves a model, YYYY-MM-DD in UTC, according to the vendor's own page and the
 * price book; see `PriceRow.retires`. Undefined if none is announced, if it has passed by `now` (unix ms), and for other sellers of
 * the model, who have dates of their own.
 */
export function retirementOf(kindCode: number, model: string, now: number): string | undefined {
  const vendor = CURRENT_BOOK.sellers.find(({ kinds, resold }) => resold !== true && kinds[0] === kindCode)
  const day = vendor !== undefined && Object.hasOwn(vendor.models, model) ? vendor.models[model]?.retires : undefined
  return day !== undefined && Date.parse(day) > now ? day : undefined
}
