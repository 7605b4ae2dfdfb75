import type { Thread } from './process-usage.ts'

/** Nanoseconds of CPU by what the threads are there for. */
export type CpuByGroup = Readonly<Record<string, number>>

const OURS = 'sluice-'

/**
 * `main`, `ledger` (the database thread), any other worker of Sluice by its name without a number at its end, `pool` (libuv's), and `other`: V8's compilers and collectors. A program of another kind has `main` and `other`.
 */
export function groupOf({ process, id, name }: Pick<Thread, 'process' | 'id' | 'name'>): string {
  if (id === process) return 'main'
  if (name === 'sluice-database') return 'ledger'
  if (name === 'libuv-worker') return 'pool'
  return name.startsWith(OURS) ? name.slice(OURS.length).replace(/-?\d+$/, '') : 'other'
}

/** What the threads used between two looks. One that started in between counts whole; one that ended counts nothing. */
export function cpuByGroup(before: readonly Thread[], after: readonly Thread[]): CpuByGroup {
  const earlier = new Map(before.map(({ id, cpuNs }) => [id, cpuNs]))
  const groups: Record<string, number> = {}
  for (const thread of after) {
    const group = groupOf(thread)
    groups[group] = (groups[group] ?? 0) + thread.cpuNs - (earlier.get(thread.id) ?? 0)
  }
  return groups
}
