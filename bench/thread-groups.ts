import type { Thread } from './process-usage.ts'

/** Nanoseconds of CPU by thread group. */
export type CpuByGroup = Readonly<Record<string, number>>

const OURS = 'sluice-'

/**
 * `main`, `ledger` (the database thread), any other worker of Sluice by its name without a trailing number, `pool` (libuv's), and
 * `other`: V8's compilers and collectors. Other kinds of program have `main` and `other`.
 */
export function groupOf({ process, id, name }: Pick<Thread, 'process' | 'id' | 'name'>): string {
  if (id === process) return 'main'
  if (name === 'sluice-database') return 'ledger'
  if (name === 'libuv-worker') return 'pool'
  return name.startsWith(OURS) ? name.slice(OURS.length).replace(/-?\d+$/, '') : 'other'
}

/** CPU use between two samples. A thread that started in between counts in full; one that ended does not count. */
export function cpuByGroup(before: readonly Thread[], after: readonly Thread[]): CpuByGroup {
  const earlier = new Map(before.map(({ id, cpuNs }) => [id, cpuNs]))
  const groups: Record<string, number> = {}
  for (const thread of after) {
    const group = groupOf(thread)
    groups[group] = (groups[group] ?? 0) + thread.cpuNs - (earlier.get(thread.id) ?? 0)
  }
  return groups
}
