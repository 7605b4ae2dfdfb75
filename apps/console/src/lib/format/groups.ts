import { UNKNOWN } from './units.ts'

/** The factor of a group on every list price: `×0.8`. */
export function formatRatio(ratio: number): string {
  return Number.isNaN(ratio) ? UNKNOWN : `×${ratio}`
}

/** Groups in the order in which they are tried. */
export function formatOrder(groups: readonly string[]): string {
  return groups.join(' → ')
}
