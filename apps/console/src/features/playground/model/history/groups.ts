import type { Summary } from './conversation-summary.ts'

/** Headings of the list, in their order. */
const GROUPS = ['pinned', 'today', 'yesterday', 'week', 'month', 'older'] as const
export type GroupName = (typeof GROUPS)[number]

const DAY_MS = 86_400_000

/** The heading for a conversation; by days of the browser's zone. `now` is unix milliseconds. */
export function groupOf({ pinned, changedAt }: Summary, now: number): GroupName {
  if (pinned) return 'pinned'
  const midnight = new Date(now).setHours(0, 0, 0, 0)
  if (changedAt >= midnight) return 'today'
  // Rounded, because days of 23 and 25 hours count as one too.
  const days = Math.round((midnight - new Date(changedAt).setHours(0, 0, 0, 0)) / DAY_MS)
  if (days <= 1) return 'yesterday'
  if (days <= 7) return 'week'
  return days <= 30 ? 'month' : 'older'
}

/** The summaries by heading, each in the order given; headings without any are left out. */
export function grouped(
  entries: readonly Summary[],
  now: number,
): readonly (readonly [GroupName, readonly Summary[]])[] {
  const byName = Map.groupBy(entries, (entry) => groupOf(entry, now))
  return GROUPS.flatMap((name) => {
    const members = byName.get(name)
    return members === undefined ? [] : [[name, members] as const]
  })
}
