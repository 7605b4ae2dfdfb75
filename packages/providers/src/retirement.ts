import { CURRENT_BOOK } from './prices/book.ts'

/**
 * The day from which the vendor of a kind no longer serves a model, YYYY-MM-DD in UTC, as the price book has it from the vendor's
 * own page; see `PriceRow.retires`. Undefined when none is announced, when it has come by `now` (unix ms), and for kinds of others
 * that sell the model: they have dates of their own.
 */
export function retirementOf(kindCode: number, model: string, now: number): string | undefined {
  const vendor = CURRENT_BOOK.sellers.find(({ kinds, resold }) => resold !== true && kinds[0] === kindCode)
  const day = vendor !== undefined && Object.hasOwn(vendor.models, model) ? vendor.models[model]?.retires : undefined
  return day !== undefined && Date.parse(day) > now ? day : undefined
}
