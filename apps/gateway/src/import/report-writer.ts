import { IMPORT_LISTED_MAX, type ImportProblem, type ImportReport, type ImportTable } from '@sluice/contract/import'
import type { FieldProblem } from './take/fields.ts'

export type RowOutcome = 'added' | 'changed' | 'unchanged' | 'skipped' | 'left_out' | 'gone'

const OPTIONAL_LISTED = 200

/** Collects the findings of a run. Lists are bounded; left-out entries are counted. */
export interface ReportWriter {
  readonly count: (table: string, outcome: RowOutcome, rows?: number) => void
  readonly problem: (table: string, id: string | number, problem: FieldProblem, effect: ImportProblem['effect']) => void
  /** Reports a field that stays unchanged here although the source has a different value. */
  readonly kept: (table: string, id: number, problem: FieldProblem) => void
  readonly refuse: (reason: string) => void
  readonly note: (text: string) => void
  readonly notes: () => readonly string[]
  readonly leftOutShare: () => { readonly table: string; readonly leftOut: number; readonly rows: number } | undefined
  readonly isRefused: () => boolean
  readonly tables: () => readonly ImportTable[]
  readonly finished: (
    rest: Omit<ImportReport, 'tables' | 'problems' | 'problem_count' | 'kept' | 'kept_count' | 'refused' | 'notes'>,
  ) => ImportReport
}

/** `onProblem` receives every problem, even beyond the bounds of the lists. */
export function createReportWriter(onProblem: (problem: ImportProblem) => void): ReportWriter {
  const tables = new Map<string, { -readonly [K in keyof ImportTable]: ImportTable[K] }>()
  const problems: ImportProblem[] = []
  const refused: string[] = []
  const notes: string[] = []
  let problemCount = 0
  const kept: ImportReport['kept'] = []
  let keptCount = 0
  const tableOf = (name: string) => {
    const known = tables.get(name)
    if (known !== undefined) return known
    const made = { name, rows: 0, added: 0, changed: 0, unchanged: 0, skipped: 0, left_out: 0, gone: 0 }
    tables.set(name, made)
    return made
  }
  return {
    count: (name, outcome, rows = 1) => {
      const table = tableOf(name)
      table[outcome] += rows
      if (outcome !== 'gone') table.rows += rows
    },
    problem: (table, id, { field, problem }, effect) => {
      const entry = { table, id: String(id), field, problem, effect }
      problemCount += 1
      if (problems.length < IMPORT_LISTED_MAX) problems.push(entry)
      onProblem(entry)
    },
    kept: (table, id, { field, problem }) => {
      keptCount += 1
      if (kept.length < IMPORT_LISTED_MAX) kept.push({ table, id: String(id), field, reason: problem })
    },
    refuse: (reason) => {
      if (refused.length < OPTIONAL_LISTED) refused.push(reason)
    },
    note: (text) => {
      if (notes.length < OPTIONAL_LISTED && !notes.includes(text)) notes.push(text)
    },
    notes: () => [...notes],
    leftOutShare: () => {
      const worst = [...tables.values()].filter((table) => table.left_out * 100 > table.rows)
      const [table] = worst.toSorted((a, b) => b.left_out / b.rows - a.left_out / a.rows)
      return table === undefined ? undefined : { table: table.name, leftOut: table.left_out, rows: table.rows }
    },
    isRefused: () => refused.length > 0,
    tables: () => [...tables.values()],
    finished: (rest) => ({
      tables: [...tables.values()],
      problems,
      problem_count: problemCount,
      kept,
      kept_count: keptCount,
      refused,
      notes,
      ...rest,
    }),
  }
}
