import type { ImportProblem } from '@sluice/contract/import'
import { csvText } from '../../../lib/format/csv.ts'

/** Problems of one table (all when empty) that contain a text, in any field. */
export function matchingProblems(
  problems: readonly ImportProblem[],
  { table, text }: { readonly table: string; readonly text: string },
): readonly ImportProblem[] {
  const wanted = text.trim().toLowerCase()
  return problems.filter(
    (one) =>
      (table === '' || one.table === table) &&
      [one.table, one.id, one.field, one.problem].some((value) => value.toLowerCase().includes(wanted)),
  )
}

/** The tables that have problems, each once. */
export function tablesWithProblems(problems: readonly ImportProblem[]): readonly string[] {
  return [...new Set(problems.map(({ table }) => table))]
}

export function problemsAsCsv(problems: readonly ImportProblem[]): string {
  return csvText([
    ['table', 'id', 'field', 'problem', 'effect'],
    ...problems.map(({ table, id, field, problem, effect }) => [table, id, field, problem, effect]),
  ])
}
