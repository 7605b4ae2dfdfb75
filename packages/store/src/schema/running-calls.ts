/** Messages between replicas about running calls, and the pauses of tokens. */
export interface RunningCallTables {
  running_call_wish: RunningCallWishTable
  running_call_report: RunningCallReportTable
  token_pause: TokenPauseTable
}

export interface RunningCallWishTable {
  /** `list <replica>`, or `stop <request id>`. */
  id: string
  /** The replica that makes the wish. */
  replica: string
  /** The user whose call may be stopped; 0 for anyone's. */
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
  /** `session`: what one session has cost; `loop`: a body that came too often. */
  rule: string
  /** Digest of the session or of the body, or a day. */
  subject: string
  /** mq. */
  spent: bigint
  /** The owner's allowance beyond the token's amount, in mq. */
  allowance: bigint
  /** When it was paused; 0 if it is not. */
  paused_ms: number
  /** When the pause ends automatically; 0 if never. */
  until_ms: number
  used_ms: number
}
