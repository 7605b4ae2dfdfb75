/** One line of `pg_stat_activity`, for as many connections as are in the same state. */
export interface Activity {
  readonly state: string | null
  readonly type: string | null
  readonly event: string | null
  readonly connections: number
}

/** What connections were found doing, sample by sample. */
export interface Waits {
  readonly samples: number
  /** The time of all samples together. */
  readonly seconds: number
  /** Answered in that time. */
  readonly requests: number
  /** Connections found in this state, over all samples. An idle connection outside a transaction is in none. */
  readonly found: Readonly<Record<string, number>>
}

export const NO_WAITS: Waits = { samples: 0, seconds: 0, requests: 0, found: {} }

const IN_TRANSACTION = 'idle in transaction'
export const ACTIVE = 'active'
/** Waits for another transaction that has the same row, and for one's turn at such a row. */
export const ROW_LOCKS = ['Lock:transactionid', 'Lock:tuple'] as const

/** The state of a busy connection: what it waits for, `active` when it waits for nothing, or that it waits for us in a transaction. */
export function kindOf({ state, type, event }: Omit<Activity, 'connections'>): string | undefined {
  if (state === null || state === 'idle') return undefined
  if (state.startsWith(IN_TRANSACTION)) return IN_TRANSACTION
  return type === null ? ACTIVE : `${type}:${event ?? ''}`
}

export function addSample(waits: Waits, lines: readonly Activity[]): Waits {
  const found = { ...waits.found }
  for (const line of lines) {
    const kind = kindOf(line)
    if (kind !== undefined) found[kind] = (found[kind] ?? 0) + line.connections
  }
  return { ...waits, samples: waits.samples + 1, found }
}

export function sumOfWaits(all: readonly Waits[]): Waits {
  const found: Record<string, number> = {}
  for (const waits of all) {
    for (const [kind, count] of Object.entries(waits.found)) found[kind] = (found[kind] ?? 0) + count
  }
  const sum = (of: (waits: Waits) => number) => all.reduce((total, waits) => total + of(waits), 0)
  return {
    samples: sum(({ samples }) => samples),
    seconds: sum(({ seconds }) => seconds),
    requests: sum(({ requests }) => requests),
    found,
  }
}

/** Milliseconds that connections spend in each state for a request, longest first. Row locks are always there. */
export function waitsPerRequest({
  samples,
  seconds,
  requests,
  found,
}: Waits): readonly { readonly kind: string; readonly count: number; readonly ms: number }[] {
  const none = Object.fromEntries(ROW_LOCKS.map((kind) => [kind, 0]))
  const msPerFinding = (seconds * 1_000) / samples / requests
  return Object.entries({ ...none, ...found })
    .map(([kind, count]) => ({ kind, count, ms: count * msPerFinding }))
    .toSorted((one, two) => two.count - one.count)
}
