import * as v from 'valibot'
import type { Failure } from '../http/call.ts'

/** Anything but a number becomes 0, which no row has, so the gateway reports that it found none. */
export const rowIdParam = {
  parse: ({ id }: { id: string }) => ({ id: /^\d{1,15}$/.test(id) ? Number(id) : 0 }),
  stringify: ({ id }: { id: number }) => ({ id: String(id) }),
}

export const optionalRowId = v.optional(
  v.fallback(v.optional(v.pipe(v.number(), v.integer(), v.minValue(1))), undefined),
)

/** The status that a row's switch sets: enabled, or disabled by a user. Every list of the contract has these two. */
export const ROW_STATUS = { on: 1, off: 2 } as const
export type SwitchedStatus = (typeof ROW_STATUS)[keyof typeof ROW_STATUS]

export type RowReply = { readonly ok: true } | Failure

export interface RowCalls<Row> {
  readonly setStatus: (row: Row, status: SwitchedStatus) => Promise<RowReply>
  readonly remove: (row: Row) => Promise<RowReply>
}
