import type { InvariantResult, ReadRows } from '../verify.ts'
import type { Scope } from './scope.ts'

export interface Invariant {
  readonly id: string
  readonly statement: string
  /** `now` is unix milliseconds. Rows that do not grow with every request are checked in full, whatever the scope. */
  readonly check: (read: ReadRows, now: number, scope: Scope) => Promise<Finding>
}

export type Finding = Pick<InvariantResult, 'checked' | 'firstWrong'>

/** Runs queries that each find a wrong row, until one does. `count` returns how many rows they look at. */
export async function findWrong(read: ReadRows, count: string, ...searches: readonly string[]): Promise<Finding> {
  const [counted] = await read(count)
  const checked = Number(counted?.['checked'] ?? 0)
  for (const search of searches) {
    const [firstWrong] = await read(search)
    if (firstWrong !== undefined) return { checked, firstWrong }
  }
  return { checked }
}

/**
 * A sum of 64-bit integers can temporarily exceed 64 bits, which makes SQLite's `sum` fail. So halves are summed separately and
 * joined at the end: the joined value is exact whenever it fits. `name` distinguishes the halves of different sums.
 */
export function sumParts(expression: string, name = ''): string {
  return `cast(sum(${expression} >> 32) as bigint) as ${name}high, cast(sum(${expression} & 4294967295) as bigint) as ${name}low`
}

/** The sum whose halves a table or query `total` has. No rows are 0. */
export function joinParts(name = ''): string {
  return `(cast(coalesce(total.${name}high, 0) + (coalesce(total.${name}low, 0) >> 32) as numeric) * 4294967296
    + (coalesce(total.${name}low, 0) & 4294967295))`
}

export function quote(text: string): string {
  return `'${text.replaceAll("'", "''")}'`
}
