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

/** One check or import of another gateway's data, and its progress. */
export interface ImportRunTable {
  id: Generated<number>
  /** The name by which the same gateway is recognised. */
  source: string
  /** Where the data was read from, without user and password. */
  label: string
  /** `one-api`, `laisky` or `new-api`; empty until it is known. */
  family: string
  /** `check` or `import`. */
  mode: string
  /** Fencing number of the lease under which it runs. */
  epoch: number
  /** Id of the user who started it; 0 for the command line. */
  started_by: number
  begun_ms: number
  /** 0 while it runs. */
  ended_ms: Generated<number>
  /** `running`, `done`, `refused` (the source breaks a rule, or a sum is wrong), `failed` or `stopped`. */
  outcome: string
  stop_asked: Generated<number>
  /** The current stage: one of the contract's `IMPORT_STAGES`. */
  stage: Generated<string>
  /** Rows of this stage that are done. */
  done: Generated<number>
  total: Generated<number>
  /** JSON of the contract's `importReport`; empty before there is one. */
  report: Generated<string>
}

/** A row imported from another gateway, and its counterpart here. Written in the transaction that writes the counterpart. */
export interface ImportedTable {
  source: string
  /** `user`, `token`, `channel` or `redemption`. */
  kind: string
  source_id: number
  target_id: number
  /** Digest of the fields that never change; tells the row from another that later gets the same id. */
  mark: string
  /** Digest of all fields as of the last import: if it is equal, the row is unchanged. */
  digest: string
  /** A digest per field, see `field-digests.ts`: repeated imports write only changed fields. Empty for rows of older versions. */
  fields: Generated<string>
  /** mq of its balance or limit that the ledger has been asked to transfer, without `pending`. */
  brought: GeneratedInt8
  /** Number of its latest transfer; part of that transfer's id. */
  step: Generated<number>
  /** mq of transfer number `step`, until the ledger has answered; null when no transfer is in progress. */
  pending: NullableInt8
  /** mq used at the other gateway. */
  used: GeneratedInt8
  /** Requests made there. */
  requests: Generated<number>
}

/** How far the source's log has been read, by row id. */
export interface ImportPositionTable {
  source: string
  /** Log rows up to this id are included in `imported_usage`. */
  sums_to: Generated<number>
  /** Requests and mq that these rows added there. */
  requests: Generated<number>
  amount: GeneratedInt8
  /** Log rows up to this id have been copied into `log`. */
  rows_to: Generated<number>
}

/** Daily sums of usage from before the move, kept apart from `usage_daily`, which is proved from the ledger's own charges. */
export interface ImportedUsageTable {
  user_id: number
  /** Days since 1970-01-01 UTC. */
  day: number
  /** 0 for a token that was not imported. */
  token_id: number
  /** 0 for a channel that was not imported. */
  channel_id: number
  model: string
  requests: number
  prompt_tokens: number
  completion_tokens: number
  /** mq */
  amount: Int8
}
