import type { ColumnType, Generated } from 'kysely'

type Int8 = ColumnType<bigint, bigint, bigint>

/** Jobs that only one replica at a time may do, and the results of proving the ledger. */
export interface CheckTables {
  lease: LeaseTable
  ledger_check: LedgerCheckTable
  ledger_check_result: LedgerCheckResultTable
  account_checkpoint: AccountCheckpointTable
}

/** The replica that may do a job at the moment. Rows are never removed, so that a job's fencing number only grows. */
export interface LeaseTable {
  job: string
  /** Name of the replica. */
  owner: string
  /** Fencing number: one higher with every owner. Results carry it, so a paused owner cannot overwrite a newer one. */
  epoch: number
  /** Unix milliseconds after which another replica may take it. */
  until_ms: number
}

/** One proof of the ledger: requested by root, or nightly. */
export interface LedgerCheckTable {
  id: Generated<number>
  /** `incremental`, `full` or `reprice`. */
  mode: string
  /** Id of the user who requested it; 0 for the nightly job. */
  started_by: number
  /** Fencing number of the lease under which it runs. */
  epoch: number
  begun_ms: number
  /** 0 while it runs. */
  ended_ms: Generated<number>
  /** `running`, `sound`, `wrong`, `failed` (could not be done) or `stopped`. */
  outcome: string
  /** Request id from which rows were counted; empty if all were. */
  since_id: string
  /** Request id up to which this check's rows in `account_checkpoint` stand for the transfers; empty if it left none. */
  bound: Generated<string>
}

export interface LedgerCheckResultTable {
  check_id: number
  /** `I1`, `I2` … */
  invariant: string
  /** 1, 2, 3 … in the order of the proof. */
  place: number
  statement: string
  checked: number
  elapsed_ms: number
  /** 1 when the rows since the checkpoint disagreed with it and all rows were counted. */
  recounted: number
  /** JSON object of texts: the first wrong row; null when the invariant holds. */
  first_wrong: string | null
}

/** Sums of an account's transfers whose request ids are before the `bound` of a check. Accounts without any have no row. */
export interface AccountCheckpointTable {
  check_id: number
  account: number
  posted: Int8
  spent: Int8
  requests: number
}

/** Something that administrators should know about, until it is dismissed. */
export interface AlarmTable {
  id: Generated<number>
  /**
   * `unpriced_model`: a requested model has no price on the channel. `unpriced_unit`: the model did something else, such as a
   * search, that has no price and was not charged. `ending_model`: its vendor will end it soon. `configuration_drift`: something
   * owned by a configuration file was changed elsewhere.
   */
  kind: string
  /** The model's name; `<model>: <unit>` for an unpriced unit; for drift, the option or channel. */
  subject: string
  /** 0 when it is not about a channel. */
  channel_id: number
  /** Unix milliseconds. */
  first_seen_ms: number
  last_seen_ms: number
  occurrences: number
  /** 0 until it is dismissed. */
  dismissed_ms: number
}
