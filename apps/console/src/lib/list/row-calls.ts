import type { Failure } from '../http/call.ts'

/** The status that a row's switch sets: enabled, or disabled by hand. Every list of the contract has these two. */
export const ROW_STATUS = { on: 1, off: 2 } as const
export type SwitchedStatus = (typeof ROW_STATUS)[keyof typeof ROW_STATUS]

/** The result of a call that changes a row, as far as a list needs it. */
export type RowReply = { readonly ok: true } | Failure

/** The calls that change the rows of a list, one or many at a time. */
export interface RowCalls<Row> {
  readonly setStatus: (row: Row, status: SwitchedStatus) => Promise<RowReply>
  readonly remove: (row: Row) => Promise<RowReply>
}
