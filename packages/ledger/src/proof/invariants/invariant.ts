import type { InvariantResult, ReadRows } from '../verify.ts'
import type { Scope } from './scope.ts'

/** One thing that the ledger promises. */
export interface Invariant {
  readonly id: string
  readonly statement: string
  /** `now` is unix milliseconds. What does not grow with every request is checked in full, whatever the scope. */
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
