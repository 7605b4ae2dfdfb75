import type { ColumnType, Generated } from 'kysely'

type Int8 = ColumnType<bigint, bigint, bigint>
type GeneratedInt8 = ColumnType<bigint, bigint | undefined, bigint>
type NullableInt8 = ColumnType<bigint | null, bigint | null | undefined, bigint | null>

export interface ImportTables {
  import_run: ImportRunTable
  imported: ImportedTable
  import_position: ImportPositionTable
  imported_usage: ImportedUsageTable
}

/** One check or import of another gateway's data, as far as it has come. */
export interface ImportRunTable {
  id: Generated<number>
  /** The name by which the same gateway is recognised. */
  source: string
  /** Where it was read, without user and password. */
  label: string
  /** `one-api`, `laisky`, `new-api`; empty while it is not known. */
  family: string
  /** `check` or `import`. */
  mode: string
  /** Of the lease under which it runs. */
  epoch: number
  /** Id of the user who started it; 0 for the command line. */
  started_by: number
  begun_ms: number
  /** 0 while it runs. */
  ended_ms: Generated<number>
  /** `running`, `done`, `refused` (the source breaks a rule, or a sum is wrong), `failed` or `stopped`. */
  outcome: string
  /** 1 when it has been asked to stop. */
  stop_asked: Generated<number>
  /** What it is doing: one of `IMPORT_STAGES` of the contract. */
  stage: Generated<string>
  /** Rows of the stage. */
  done: Generated<number>
  total: Generated<number>
  /** JSON of the contract's `importReport`; empty before there is one. */
  report: Generated<string>
}

/** A row of another gateway that has been taken, and what it has become here. Written in the transaction that writes the row. */
export interface ImportedTable {
  source: string
  /** `user`, `token`, `channel` or `redemption`. */
  kind: string
  source_id: number
  target_id: number
  /** What tells the row from another one under the same id: digest of what never changes in it. */
  mark: string
  /** Of all its fields as they were taken last: where it is the same, the row is the same. */
  digest: string
  /** Of each of them, see `field-digests.ts`: a repeated import writes only those that have changed. Empty for rows of older versions. */
  fields: Generated<string>
  /** mq of its balance or limit that the ledger has been asked to bring, `pending` left out. */
  brought: GeneratedInt8
  /** Number of its latest transfer; part of that transfer's id. */
  step: Generated<number>
  /** mq that the transfer `step` brings, until the ledger has answered; null when nothing is under way. */
  pending: NullableInt8
  /** mq that it had used at the other gateway. */
  used: GeneratedInt8
  /** Requests that it had made there. */
  requests: Generated<number>
}

/** Ids of the last log rows that were read. */
export interface ImportPositionTable {
  source: string
  /** Those up to this one are part of `imported_usage`. */
  sums_to: Generated<number>
  /** Requests and mq that they added there. */
  requests: Generated<number>
  amount: GeneratedInt8
  /** Those up to this one are rows of `log`. */
  rows_to: Generated<number>
}

/** Daily sums of what was used before the move: beside `usage_daily`, which is proved from the ledger's own charges. */
export interface ImportedUsageTable {
  user_id: number
  /** Days since 1970-01-01 UTC. */
  day: number
  /** 0 for a token that was not brought. */
  token_id: number
  /** 0 for a channel that was not brought. */
  channel_id: number
  model: string
  requests: number
  prompt_tokens: number
  completion_tokens: number
  /** mq */
  amount: Int8
}
