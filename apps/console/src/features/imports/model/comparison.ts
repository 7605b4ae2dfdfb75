import type { ImportReport, ImportTotals } from '@sluice/contract/import'

/** A sum at the source and here. */
export interface Compared {
  readonly what: Exclude<keyof ImportTotals, 'digest'>
  /** Whether it is an amount of quota; otherwise it counts things. */
  readonly isQuota: boolean
  /** Whole numbers as text. */
  readonly there: string
  /** Undefined after a check. */
  readonly here: string | undefined
}

const COUNTS = ['users', 'tokens', 'channels', 'codes_unused', 'requests'] as const
const ORDER = [
  'users',
  'balances',
  'tokens',
  'limits',
  'channels',
  'codes_unused',
  'codes',
  'requests',
  'used',
] as const

export function comparedSums({ before, after }: Pick<ImportReport, 'before' | 'after'>): readonly Compared[] {
  return ORDER.map((what) => ({
    what,
    isQuota: !COUNTS.some((count) => count === what),
    there: String(before[what]),
    here: after === null ? undefined : String(after[what]),
  }))
}

/** Rows of all tables by what becomes of them, without the log: it is read again each time. */
export function changesIn({ tables }: Pick<ImportReport, 'tables'>) {
  const things = tables.filter(({ name }) => name !== 'logs')
  const sumOf = (name: 'added' | 'changed' | 'unchanged') => things.reduce((sum, table) => sum + table[name], 0)
  return { added: sumOf('added'), changed: sumOf('changed'), unchanged: sumOf('unchanged') }
}

/** A whole number of any size with its digits in groups: `12,345`. Any other text stays as it is. */
export function groupedDigits(whole: string): string {
  return /^-?\d+$/.test(whole) ? BigInt(whole).toLocaleString('en-US') : whole
}
