import { INVARIANTS } from './invariants.ts'

/** A row as the database gave it. */
export type Row = Readonly<Record<string, unknown>>

/**
 * Runs one SQL text on either engine. Give it a read transaction (SQLite: `begin`; PostgreSQL: repeatable read), so that all
 * statements see the books of one moment while the gateway goes on.
 */
export type ReadRows = (sql: string) => Promise<readonly Row[]>

export interface InvariantResult {
  readonly id: string
  readonly statement: string
  /** Rows looked at. */
  readonly checked: number
  /** Undefined when the invariant holds. */
  readonly firstWrong?: Row
  /** Why there was nothing to check. */
  readonly note?: string
}

/**
 * Proves the books: recomputes every balance, every sum and every price from the immutable rows, one invariant after the
 * other. `now` is unix milliseconds.
 */
export async function* verifyLedger(read: ReadRows, now: number): AsyncGenerator<InvariantResult> {
  for (const { id, statement, check } of INVARIANTS) yield { id, statement, ...(await check(read, now)) }
}
