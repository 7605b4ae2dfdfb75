import type { Failure } from '../http/call.ts'

/** What the switch of a row sets: in force, or switched off by hand. Every list of the contract has these two. */
export const ROW_STATUS = { on: 1, off: 2 } as const
export type SwitchedStatus = (typeof ROW_STATUS)[keyof typeof ROW_STATUS]

/** What a call that changes a row answers, as far as a list cares. */
export type RowReply = { readonly ok: true } | Failure

/** The calls by which the rows of a list are changed, one by one or many. */
export interface RowCalls<Row> {
  readonly setStatus: (row: Row, status: SwitchedStatus) => Promise<RowReply>
  readonly remove: (row: Row) => Promise<RowReply>
}
