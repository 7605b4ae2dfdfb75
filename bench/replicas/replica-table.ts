import { median } from '../statistics.ts'
import type { ReplicaLoad } from './replica-loads.ts'
import { type Figure, overRounds, ratiosOf, type Round } from './replica-ratios.ts'
import { ACTIVE, ROW_LOCKS, sumOfWaits, waitsPerRequest } from './waits.ts'

const NAME = 24
const CELL = 11
/** Further states are too rare to matter. */
const SHOWN_WAITS = 8

const COLUMNS: readonly (readonly [Figure, string, number])[] = [
  ['perSecond', 'per s', 0],
  ['gatewayUs', 'gateway µs', 0],
  ['serverUs', 'server µs', 0],
  ['p50Ms', 'p50 ms', 2],
  ['p99Ms', 'p99 ms', 1],
  ['walBytes', 'WAL bytes', 0],
  ['writes', 'commits', 3],
  ['statements', 'statements', 2],
]

/** The medians of all rounds as lines of text, a table per load, each followed by what the connections waited for. */
export function tableOf(rounds: readonly Round[], targets: readonly string[], loads: readonly ReplicaLoad[]): string[] {
  return loads.flatMap(({ name, label }) => [
    '',
    label.padEnd(NAME),
    ''.padEnd(NAME) + COLUMNS.map(([, title]) => title.padStart(CELL)).join(''),
    ...targets.flatMap((target) => {
      const cells = COLUMNS.map(([figure, , digits]) => numberOf(overRounds(rounds, target, name, figure), digits))
      return [`  ${target}`.padEnd(NAME) + cells.map((cell) => cell.padStart(CELL)).join('')]
    }),
    ...targets.flatMap((target) => [...behindLines(rounds, target, name), ...waitLines(rounds, target, name)]),
  ])
}

function behindLines(rounds: readonly Round[], target: string, load: string): readonly string[] {
  const reasons = rounds.flatMap((round) => round[target]?.[load]?.behind ?? [])
  return reasons.length === 0 ? [] : [`  ${target}, ${reasons.length} of ${rounds.length} rounds: ${reasons[0]}`]
}

/** Milliseconds of a connection per request in each state, with the number of times that a sample found it. */
function waitLines(rounds: readonly Round[], target: string, load: string): readonly string[] {
  const servers = rounds.flatMap((round) => round[target]?.[load]?.server ?? [])
  if (servers.length === 0) return []
  const waits = sumOfWaits(servers.map((server) => server.waits))
  const each = waitsPerRequest(waits)
  const isRowLock = (kind: string) => ROW_LOCKS.some((lock) => lock === kind)
  const text = (of: typeof each) => of.map(({ kind, count, ms }) => `${kind} ${ms.toFixed(2)} (${count})`).join(', ')
  const others = each.filter(({ kind }) => !isRowLock(kind)).slice(0, SHOWN_WAITS)
  return [
    `  ${target}: ms per request (found in ${waits.samples} samples): ${text(others) || `${ACTIVE} 0`}`,
    `    row locks: ${text(each.filter(({ kind }) => isRowLock(kind)))}`,
  ]
}

/** What a program has changed: for each figure the median of the rounds' ratios, then the ratios themselves. */
export function changesOf(
  rounds: readonly Round[],
  pairs: readonly (readonly [string, string])[],
  loads: readonly ReplicaLoad[],
): string[] {
  const lines = loads.flatMap(({ name, label }) => [
    label,
    ...pairs.flatMap(([now, before]) =>
      COLUMNS.flatMap(([figure, title]) => {
        const ratios = ratiosOf(rounds, [now, before], name, figure)
        if (ratios.length === 0) return []
        const each = ratios.map((ratio) => ratio.toFixed(2)).join(' ')
        return [
          `  ${now}`.padEnd(NAME) + title.padEnd(CELL) + `×${median(ratios).toFixed(2)}`.padStart(7) + `   (${each})`,
        ]
      }),
    ),
  ])
  return ['', 'Now, as a multiple of before; in brackets each round', ...lines]
}

function numberOf(value: number, digits: number): string {
  return Number.isNaN(value) ? '–' : value.toFixed(digits)
}
