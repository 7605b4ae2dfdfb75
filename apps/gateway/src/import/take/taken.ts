import { createHash } from 'node:crypto'
import type { FieldProblem, Fields } from './fields.ts'

/**
 * The result for one row. `skipped`: the row is not to be imported, because it is deleted or belongs to something deleted.
 * `left_out`: a field breaks a rule.
 */
export type Taken<Row> =
  | { readonly outcome: 'taken'; readonly row: Row; readonly adapted: readonly FieldProblem[] }
  | { readonly outcome: 'skipped' }
  | { readonly outcome: 'left_out'; readonly fault: FieldProblem }

export const SKIPPED = { outcome: 'skipped' } as const

export function takenFrom<Row>(fields: Fields, row: Row): Taken<Row> {
  const { fault, adapted } = fields
  return fault === undefined ? { outcome: 'taken', row, adapted } : { outcome: 'left_out', fault }
}

export function takenAs<Row>(row: Row, adapted: readonly FieldProblem[]): Taken<Row> {
  return { outcome: 'taken', row, adapted }
}

/** Distinguishes two states of a row: equal texts are equal rows. */
export function digestOf(row: object): string {
  return createHash('sha256')
    .update(JSON.stringify(row, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value)))
    .digest('base64url')
    .slice(0, 22)
}
