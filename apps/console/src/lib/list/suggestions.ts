import type { Failure } from '../http/call.ts'

/** Maximum number of suggestions below a search field. */
export const MOST_SUGGESTIONS = 10

/** The query of a search whose first rows are suggested. */
export function suggestionQuery(keyword: string): { readonly keyword: string; readonly size: string } {
  return { keyword, size: String(MOST_SUGGESTIONS) }
}

/** A suggestion for each row of a reply; `undefined` when the call failed. */
export function suggestionsOf<Row, Suggestion>(
  reply: { readonly ok: true; readonly data: readonly Row[] } | Failure,
  suggest: (row: Row) => Suggestion,
): Suggestion[] | undefined {
  return reply.ok ? reply.data.map(suggest) : undefined
}
