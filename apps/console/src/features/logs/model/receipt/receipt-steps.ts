import type { Calculation, Movement, Receipt } from '@sluice/contract/receipt'

/** A settlement with what it moved. If there are two, the later one gives the cost of the whole request. */
export interface Settlement extends Movement {
  readonly calculation: Calculation
}

/** The settlements of a receipt, first to last; those whose price no longer exists are left out. */
export function settlementsOf({ movements }: Receipt): readonly Settlement[] {
  return movements.flatMap(({ calculation, ...movement }) =>
    calculation === undefined ? [] : [{ ...movement, calculation }],
  )
}

/** Everything that moved money, if it was more than the one charge. */
export function furtherMovements({ movements }: Receipt): readonly Movement[] {
  return movements.length > 1 ? movements : []
}

/** A step that changes nothing does not have to be shown. */
export function isStep(before: string, after: string): boolean {
  return before !== after
}

/** How an answer ended, and whether a setting then waived the charge. */
export function endingOf(ended: string): { readonly how: string; readonly isFree: boolean } {
  const isFree = ended.endsWith('_void')
  return { how: isFree ? ended.slice(0, -'_void'.length) : ended, isFree }
}

/** The provider's usage object, formatted for reading; unformatted if it was cut off. */
export function readableUsage(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), undefined, 2)
  } catch {
    return text
  }
}
