import * as v from 'valibot'
import { unixSeconds } from './scalars.ts'

/** `incremental`: what is new since the last successful check. `full`: every row. `reprice`: also the price of every charge. */
export const LEDGER_CHECK_MODES = ['incremental', 'full', 'reprice'] as const
export type LedgerCheckMode = (typeof LEDGER_CHECK_MODES)[number]

/** `failed`: it could not be done. `stopped`: its process ended before it was done. */
export const LEDGER_CHECK_OUTCOMES = ['running', 'sound', 'wrong', 'failed', 'stopped'] as const

const count = v.pipe(v.number(), v.integer(), v.minValue(0))

const invariantResult = v.object({
  /** `I1`, `I2` … */
  id: v.string(),
  /** What the invariant says, in English. */
  statement: v.string(),
  /** Rows checked. */
  checked: count,
  elapsed_ms: count,
  /** True when the rows since the checkpoint did not agree with it, and all rows were counted to be sure. */
  recounted: v.boolean(),
  /** Column to value; null when the invariant holds. Amounts in mq (thousandths of a quota point). */
  first_wrong: v.nullable(v.record(v.string(), v.nullable(v.string()))),
})
export type InvariantResult = v.InferOutput<typeof invariantResult>

/** One proof of the ledger. While it runs, `results` grows. */
export const ledgerCheck = v.object({
  id: v.pipe(v.number(), v.integer(), v.minValue(1)),
  mode: v.picklist(LEDGER_CHECK_MODES),
  outcome: v.picklist(LEDGER_CHECK_OUTCOMES),
  /** User id of the requester; 0 for the nightly job. */
  started_by: count,
  started_by_name: v.string(),
  started_at: unixSeconds,
  /** 0 while it runs. */
  ended_at: unixSeconds,
  elapsed_ms: count,
  /** Unix seconds from which rows were counted, starting from a checkpoint; 0: all rows. */
  rows_since: unixSeconds,
  results: v.array(invariantResult),
})
export type LedgerCheck = v.InferOutput<typeof ledgerCheck>
