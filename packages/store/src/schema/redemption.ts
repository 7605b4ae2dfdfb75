import type { ColumnType, Generated } from 'kysely'

type Int8 = ColumnType<bigint, bigint, bigint>

/** A code that pays quota once. When it is used, the ledger writes `status`, `redeemed_by` and `redeemed_ms`. */
export interface RedemptionTable {
  id: Generated<number>
  name: string
  /** SHA-256 of the code, hex: the look-up value. */
  key_hash: string
  /** The code, sealed; administrators hand it out. */
  key_sealed: string
  /** 1 unused, 2 disabled, 3 used. */
  status: number
  /** mq */
  amount: Int8
  /** Id of the user who made it. */
  created_by: number
  /** User id of the last administrator below root who changed it; 0 if none did. Changes by root do not touch it. */
  altered_by: Generated<number>
  created_time: number
  /** User id; 0 while it is not used. */
  redeemed_by: number
  redeemed_ms: number
  /** Unix seconds; 0 unless deleted. The row stays, because the ledger refers to it. */
  deleted_time: number
  /** 1 if it was used at another gateway before it was imported, and never paid here. */
  used_before: Generated<number>
  /** Unix seconds from which it can no longer be redeemed; 0 never. */
  expired_time: Generated<number>
}

/** Quota that another program reserved or charged with an API key. The money itself is in the ledger. */
export interface TokenTransactionTable {
  id: Generated<number>
  token_id: number
  /** The other program's name for it, unique for its token. */
  transaction_id: string
  user_id: number
  /** 0 being opened, 1 pending, 2 confirmed, 3 confirmed because it expired, 4 cancelled. */
  status: number
  /** Whole quota points reserved. */
  pre_quota: number
  /** Whole quota points charged; null while pending. */
  final_quota: number | null
  reason: string
  /** Id of its hold and its charge. */
  request_id: string
  /** Unix seconds at which a pending transaction is charged as reserved. */
  expires_time: number
  created_time: number
  /** Unix seconds when it was confirmed or cancelled; 0 before. */
  finished_time: number
  /** 1 once the ledger has done what `status` says. */
  settled: number
  elapsed_ms: number
}
