import type { ImportProblem, ImportReport } from '@sluice/contract/import'
import { csvText } from '~/lib/format/csv.ts'

/** A line of the list; `kept`: a field that stays as it is here. */
export interface ListedProblem extends Omit<ImportProblem, 'effect'> {
  readonly effect: ImportProblem['effect'] | 'kept'
}

export function keptFields({ kept }: Pick<ImportReport, 'kept'>): readonly ListedProblem[] {
  return kept.map(({ reason, ...field }) => ({ ...field, problem: reason, effect: 'kept' }))
}

/** Problems of one table (all when empty) that contain a text, in any field. */
export function matchingProblems(
  problems: readonly ListedProblem[],
  { table, text }: { readonly table: string; readonly text: string },
): readonly ListedProblem[] {
  const wanted = text.trim().toLowerCase()
  return problems.filter(
    (one) =>
      (table === '' || one.table === table) &&
      [one.table, one.id, one.field, one.problem].some((value) => value.toLowerCase().includes(wanted)),
  )
}

/** The tables that have problems, each once. */
export function tablesWithProblems(problems: readonly ListedProblem[]): readonly string[] {
  return [...new Set(problems.map(({ table }) => table))]
}

export function problemsAsCsv(problems: readonly ListedProblem[]): string {
  return csvText([
    ['table', 'id', 'field', 'problem', 'effect'],
    ...problems.map(({ table, id, field, problem, effect }) => [table, id, field, problem, effect]),
  ])
}
