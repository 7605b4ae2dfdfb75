import type { Found } from '@sluice/contract/findings/catalogue'
import { CLOCKS_DIFFER_MS } from '@sluice/store/clocks'
import { type Check, orWell } from '../check.ts'
import { momentText } from '../in-words.ts'
import { type KnownReplica, replicaInWords } from '../replica-facts.ts'

/** Synchronised clocks differ by less, and reading the database's clock takes less. */
const TOLERATED_MS = 2_000

export interface ClockFacts {
  /** Name of this machine. */
  readonly machine: string
  /** This machine's clock, and milliseconds that only increase. */
  readonly own: () => number
  readonly steady: () => number
  readonly databaseTime: () => Promise<number>
  readonly newestRows: () => Promise<Readonly<Record<string, number>>>
  readonly replicas: () => Promise<readonly KnownReplica[]>
}

/** Compares the clocks of this machine and of all replicas with the database's, and looks for rows from the future. */
export function clockCheck(facts: ClockFacts): Check {
  return {
    name: 'clock',
    examine: async () => {
      const [began, before] = [facts.steady(), facts.own()]
      const now = await facts.databaseTime()
      const took = facts.steady() - began
      const ahead = took > TOLERATED_MS ? 0 : before + took / 2 - now
      const [replicas, rows] = await Promise.all([facts.replicas(), facts.newestRows()])
      const found = [
        ...differing(facts.machine, ahead),
        // The measurement here is newer than the report of a process on this machine.
        ...replicas.flatMap(({ id, facts: said }) =>
          said === undefined || id.startsWith(`${facts.machine}:`) ? [] : differing(replicaInWords(id), said.aheadMs),
        ),
        ...replicas.flatMap(({ id, facts: said }): readonly Found[] =>
          said === undefined || said.steppedMs === 0
            ? []
            : [{ id: 'clock.jumped', subject: replicaInWords(id), params: { seconds: seconds(said.steppedMs) } }],
        ),
        ...Object.entries(rows).flatMap(([table, newest]): readonly Found[] =>
          newest > now + CLOCKS_DIFFER_MS
            ? [{ id: 'clock.rows_ahead', subject: table, params: { until: momentText(newest) } }]
            : [],
        ),
      ]
      return orWell(found, { id: 'clock.ok' })
    },
  }
}

function differing(subject: string, aheadMs: number): readonly Found[] {
  if (Math.abs(aheadMs) <= TOLERATED_MS) return []
  return [{ id: 'clock.differs', subject, params: { seconds: seconds(aheadMs) } }]
}

const seconds = (ms: number): number => Math.round(Math.abs(ms) / 1_000)
