import { quote } from './invariant.ts'

/** The rows of `transfer` to check. The sums of earlier rows come from a checkpoint, computed when those rows were proved. */
export interface Scope {
  /**
   * Ids from this text on are counted: the first 12 digits of a UUIDv7, which are its time. Ids of another form sort after every
   * such text, so they are always counted. Empty: all rows.
   */
  readonly from: string
  /** `check_id` of the rows in `account_checkpoint` that stand for the transfers before `from`; 0 for none. */
  readonly checkpoint: number
  /** Ids from this text on are left out. */
  readonly until?: string
}

export const WHOLE: Scope = { from: '', checkpoint: 0 }

/** Hex digits of a UUIDv7 that are its unix milliseconds. */
export const TIME_DIGITS = 12

/** A condition on the ids of a scope, for `where` and `and`. */
export function inScope(column: string, { from, until }: Scope): string {
  const bounds = [
    ...(from === '' ? [] : [`${column} >= ${quote(from)}`]),
    ...(until === undefined ? [] : [`${column} < ${quote(until)}`]),
  ]
  return bounds.length === 0 ? '1 = 1' : bounds.join(' and ')
}

/** Unix milliseconds at which a scope begins; 0 for everything. */
export function scopeStart({ from }: Scope): number {
  return from === '' ? 0 : Number.parseInt(from, 16)
}

/** The prefix of ids made at `ms` (unix milliseconds). */
export function idAt(ms: number): string {
  return Math.max(0, ms).toString(16).padStart(TIME_DIGITS, '0')
}
