import type { ScenarioName } from '../scenarios.ts'
import type { TargetName } from '../targets.ts'
import type { BenchReport, Cell, Section } from './report.ts'

const LABEL = 44
const VALUE = 9
const RATIO = 8
/** Its threads have lines of their own; the other targets show only the sum. */
const BY_THREAD = 'Sluice'
/** Scenarios for which the bench's own costs are itemised. */
const OWN: readonly string[] = ['closed32', 'pace20by1000'] satisfies readonly ScenarioName[]

/** Why a figure is missing, or the lower load at which it was measured. */
interface Note {
  readonly target: TargetName
  readonly label: string
  readonly reason: string
}

/** The whole run as lines of text: one table, then the reasons for missing figures, then the budgets. */
export function tableOf({ targets, sections, flushMs, budgets }: BenchReport): readonly string[] {
  const notes: Note[] = []
  const head = targets.map(
    (target) =>
      target.padStart(VALUE) +
      bases(target, targets)
        .map((base) => base.padStart(RATIO))
        .join(''),
  )
  const flush = [flushMs.p50, flushMs.p99].map((ms) => (ms === null ? '–' : ms.toFixed(2))).join(' / ')
  return [
    ''.padEnd(LABEL) + head.join(''),
    ...sections.flatMap((section) => linesOf(section, targets, notes)),
    `The machine's own flush of 512 bytes, p50 / p99, ms: ${flush}`,
    ...ownLines(sections),
    ...notes.map(({ target, label, reason }, at) => `${at + 1}) ${target}, ${label}: ${reason}`),
    '',
    ...budgetLines(budgets),
  ]
}

/** What a target's figures are compared with, as far as it was measured. */
function bases(target: TargetName, targets: readonly TargetName[]): readonly string[] {
  if (target === 'direct' || target === 'nginx') return []
  return (['bare', 'nginx'] as const)
    .filter((base) => base !== target && targets.includes(base))
    .map((base) => `/${base}`)
}

function linesOf({ title, compare, rows }: Section, targets: readonly TargetName[], notes: Note[]): readonly string[] {
  const valueCell = (label: string, target: TargetName, cell: Cell | undefined) => {
    const { value = null, behind, slower, overBare = null, overNginx = null } = cell ?? {}
    const reason = behind ?? slower
    const mark = reason === undefined ? '' : `${numberOfNote(notes, { target, label, reason })})`
    const shown = behind === undefined ? `${numberOf(value)} ${mark}`.trimEnd() : `–${mark}`
    const ratios = bases(target, targets).map((base) => ratioOf(base === '/bare' ? overBare : overNginx, compare))
    return shown.padStart(VALUE) + ratios.map((ratio) => ratio.padStart(RATIO)).join('')
  }
  const lines = rows.flatMap(({ label, cells }) => {
    const line = `  ${label}`.padEnd(LABEL) + targets.map((target) => valueCell(label, target, cells[target])).join('')
    return [line, ...threadLines(cells[BY_THREAD], targets)]
  })
  return [title, ...lines.map((line) => line.trimEnd()), '']
}

/** From 1. The latency of queued calls needs no reason besides that of their processor time. */
function numberOfNote(notes: Note[], note: Note): number {
  const known = notes.findIndex(({ target, reason }) => target === note.target && reason === note.reason)
  return known === -1 ? notes.push(note) : known + 1
}

function threadLines(cell: Cell | undefined, targets: readonly TargetName[]): readonly string[] {
  const before = targets.slice(0, targets.indexOf(BY_THREAD))
  const indent = before.reduce((width, target) => width + VALUE + bases(target, targets).length * RATIO, 0)
  const place: Readonly<Record<string, number>> = { main: 0, ledger: 1, pool: 3, other: 4 }
  return Object.entries(cell?.threads ?? {})
    .toSorted(([one], [two]) => (place[one] ?? 2) - (place[two] ?? 2))
    .map(([group, us]) => `    ${nameOf(group)}`.padEnd(LABEL + indent) + numberOf(us).padStart(VALUE))
}

/** The cost of the bench's own provider and client, which the direct path's column sums up. */
function ownLines(sections: readonly Section[]): readonly string[] {
  return sections
    .flatMap(({ rows }) => rows)
    .filter(({ name }) => OWN.includes(name))
    .flatMap(({ label, cells }) => {
      const { provider, client } = cells.direct?.threads ?? {}
      if (provider === undefined || client === undefined) return []
      return [`The bench itself, ${label}, µs: provider ${numberOf(provider)}, client ${numberOf(client)}`]
    })
}

function nameOf(group: string): string {
  if (group === 'main') return 'main thread'
  if (group === 'pool') return "libuv's pool"
  return group === 'other' ? 'other threads' : `${group} thread`
}

function budgetLines(budgets: BenchReport['budgets']): readonly string[] {
  if (budgets.length === 0) return []
  const lines = budgets.map(({ label, value, limit, aim, result }) => {
    const shown = Number.isNaN(value) ? '–' : Number(value.toPrecision(3))
    const cells = [shown, limit, aim].map((cell) => String(cell).padStart(9))
    return `${label.padEnd(50)}${cells.join('')}  ${result}`
  })
  return [`${'budget'.padEnd(50)} measured    limit      aim`, ...lines]
}

function numberOf(value: number | null): string {
  if (value === null) return ''
  return value.toFixed(value < 10 ? 2 : value < 100 ? 1 : 0)
}

function ratioOf(value: number | null, compare: Section['compare']): string {
  if (value === null) return ''
  if (compare === 'beyond') return `${value < 0 ? '−' : '+'}${Math.abs(value).toFixed(2)}`
  return `×${value.toFixed(value < 10 ? 2 : 1)}`
}
