import { INVARIANTS } from './invariants.ts'
import type { Invariant } from './invariants/invariant.ts'
import { type Scope, WHOLE } from './invariants/scope.ts'

export type Row = Readonly<Record<string, unknown>>

/**
 * Runs one SQL text on either engine. Give it a read transaction (SQLite: `begin`; PostgreSQL: repeatable read) that lasts for at
 * least one invariant, so that all its statements see the ledger at one moment while the gateway keeps running.
 */
export type ReadRows = (sql: string) => Promise<readonly Row[]>

export interface InvariantResult {
  readonly id: string
  readonly statement: string
  readonly checked: number
  /** Undefined when the invariant holds. */
  readonly firstWrong?: Row
  /** Why nothing was checked. */
  readonly note?: string
  /** True when the rows since the checkpoint disagreed with it and all rows were counted. */
  readonly recounted?: true
}

/** How much of the ledger is checked. Absent: all of it. */
export interface VerifyOptions {
  /** Begins at a checkpoint; see `checkpoint.ts`. */
  readonly scope?: Scope
  /** Recomputes the price of every charge, whatever the scope. */
  readonly reprice?: boolean
}

/** Recomputes every balance, sum and price from the immutable rows, one invariant after the other. `now` is unix milliseconds. */
export async function* verifyLedger(
  read: ReadRows,
  now: number,
  options: VerifyOptions = {},
): AsyncGenerator<InvariantResult> {
  for (const invariant of INVARIANTS) yield await proveInvariant(invariant, read, now, options)
}

/** A mismatch since a checkpoint is recounted from the first row before it is reported: a checkpoint never decides. */
export async function proveInvariant(
  { id, statement, check }: Invariant,
  read: ReadRows,
  now: number,
  { scope = WHOLE, reprice = false }: VerifyOptions,
): Promise<InvariantResult> {
  const begin = reprice && id === 'I8' ? WHOLE : scope
  const found = await check(read, now, begin)
  const isDoubtful = found.firstWrong !== undefined && begin.from !== ''
  return isDoubtful
    ? { id, statement, ...(await check(read, now, WHOLE)), recounted: true }
    : { id, statement, ...found }
}
