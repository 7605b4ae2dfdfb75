import {
  type ImportReport,
  type ImportTotals,
  IMPORT_STAGES,
  type ImportRun,
  type ImportStage,
} from '@sluice/contract/import'

export interface Compared {
  readonly what: Exclude<keyof ImportTotals, 'digest'>
  /** Whether the sum is an amount of quota; otherwise it counts things. */
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

/** Without the rows of the log, which are read again each time. */
export function changesIn({ tables }: Pick<ImportReport, 'tables'>) {
  const things = tables.filter(({ name }) => name !== 'logs')
  const sumOf = (name: 'added' | 'changed' | 'unchanged') => things.reduce((sum, table) => sum + table[name], 0)
  return { added: sumOf('added'), changed: sumOf('changed'), unchanged: sumOf('unchanged') }
}

/** `12,345`, for whole numbers of any size. Any other text stays as it is. */
export function groupedDigits(whole: string): string {
  return /^-?\d+$/.test(whole) ? BigInt(whole).toLocaleString('en-US') : whole
}

/** Pause between two polls of a run, in milliseconds. */
const LOOK_MS = 1_000

/** `false` while no run is in progress. */
export function pauseBetweenLooks(run: Pick<ImportRun, 'outcome'> | null | undefined): number | false {
  return run?.outcome === 'running' ? LOOK_MS : false
}

export function stagesOf(mode: ImportRun['mode']): readonly ImportStage[] {
  return mode === 'check' ? IMPORT_STAGES.slice(0, 2) : IMPORT_STAGES
}

/** From 0 to 1, for the current stage. */
export function shareDone({ done, total }: Pick<ImportRun, 'done' | 'total'>): number {
  return total > 0 ? Math.min(1, done / total) : 0
}

/** `0:07`, `12:40`, `1:02:03`. */
export function formatDuration(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds))
  const parts = [Math.floor(whole / 3_600), Math.floor(whole / 60) % 60, whole % 60]
  const [first = 0, ...rest] = parts[0] === 0 ? parts.slice(1) : parts
  return [String(first), ...rest.map((part) => String(part).padStart(2, '0'))].join(':')
}
