/** Acts of administrators in the order in which they were recorded; rows are added and never changed. */
export interface AuditTable {
  /** 1, 2, 3 …, without a gap. */
  seq: number
  /** Unique per call, and known while the call is still running. */
  call_id: string
  /** Unix milliseconds when the call began. */
  begun_ms: number
  actor_id: number
  actor_name: string
  actor_role: number
  address: string
  /** Method and path of the route: `PUT /api/user/`. */
  action: string
  /** `done`, `refused`, `failed`, or `unknown`: the process ended before it could record the outcome. */
  outcome: string
  target_kind: string
  target_id: string
  /** JSON objects of what changed, before and after; secrets are masked; `{}` when nothing is known. */
  before_values: string
  after_values: string
  /** Hash of the previous row; empty for the first. */
  previous_hash: string
  /** SHA-256 of everything above, hex. */
  hash: string
}

/** A call in progress: written before it may change anything, removed in the transaction that writes its audit row. */
export interface AuditCallTable {
  call_id: string
  begun_ms: number
  /** JSON of the entry, as far as known. */
  entry: string
}

/** One row: the number of audit rows, and the hash of the last. */
export interface AuditHeadTable {
  name: string
  /** `<seq>:<hash>` sealed for the purpose `audit_head`: someone who has only the database cannot forge it. */
  head_sealed: string
}
