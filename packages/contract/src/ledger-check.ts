import * as v from 'valibot'
import { unixSeconds } from './scalars.ts'

/** `incremental`: rows since the last successful check. `full`: every row. `reprice`: also the price of every charge. */
export const LEDGER_CHECK_MODES = ['incremental', 'full', 'reprice'] as const
export type LedgerCheckMode = (typeof LEDGER_CHECK_MODES)[number]

/** `failed`: it could not be done. `stopped`: its process ended first. */
export const LEDGER_CHECK_OUTCOMES = ['running', 'sound', 'wrong', 'failed', 'stopped'] as const

const count = v.pipe(v.number(), v.integer(), v.minValue(0))

const invariantResult = v.object({
  id: v.string(),
  statement: v.string(),
  checked: count,
  elapsed_ms: count,
  /** True when rows since the checkpoint disagreed with it, so that all rows were counted. */
  recounted: v.boolean(),
  /** Column → value; null when the invariant holds. Amounts in mq (thousandths of a quota point). */
  first_wrong: v.nullable(v.record(v.string(), v.nullable(v.string()))),
})
export type InvariantResult = v.InferOutput<typeof invariantResult>

/** One proof of the ledger; `results` grows while it runs. */
export const ledgerCheck = v.object({
  id: v.pipe(v.number(), v.integer(), v.minValue(1)),
  mode: v.picklist(LEDGER_CHECK_MODES),
  outcome: v.picklist(LEDGER_CHECK_OUTCOMES),
  /** Requester's user id; 0 for the nightly job. */
  started_by: count,
  started_by_name: v.string(),
  started_at: unixSeconds,
  /** 0 while it runs. */
  ended_at: unixSeconds,
  elapsed_ms: count,
  /** Unix seconds of the checkpoint from which rows were counted; 0 for all rows. */
  rows_since: unixSeconds,
  results: v.array(invariantResult),
})
export type LedgerCheck = v.InferOutput<typeof ledgerCheck>
