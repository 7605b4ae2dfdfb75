/** What replicas tell each other about running calls, and what tokens have paused. */
export interface RunningCallTables {
  running_call_wish: RunningCallWishTable
  running_call_report: RunningCallReportTable
  token_pause: TokenPauseTable
}

export interface RunningCallWishTable {
  /** `list <replica>`, or `stop <request id>`. */
  id: string
  /** Who wishes it. */
  replica: string
  /** Whose call may be stopped; 0: anyone's. */
  user_id: number
  /** By the clock of the database. */
  until_ms: number
}

export interface RunningCallReportTable {
  replica: string
  /** By the clock of the database. */
  at_ms: number
  /** JSON. */
  calls: string
}

export interface TokenPauseTable {
  token_id: number
  /** session → what one session has cost · loop → a body that came too often */
  rule: string
  /** Digest of the session or of the body, or a day. */
  subject: string
  /** mq. */
  spent: bigint
  /** What its owner has allowed beyond the token's amount, in mq. */
  allowance: bigint
  /** Since when it is paused; 0: it is not. */
  paused_ms: number
  /** When a pause ends on its own; 0: not at all. */
  until_ms: number
  used_ms: number
}
