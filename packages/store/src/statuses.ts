/**
 * The numbers in columns `status`, `type` and `role`. They go over the wire unchanged, so the contract has the same tables; the
 * gateway's `management/statuses.test.ts` compares both.
 */
/** Deleted users appear in no list; their rows stay for the logs and the ledger. */
export const USER_STATUS = { enabled: 1, disabled: 2, deleted: 3 } as const
export const ROLE = { user: 1, admin: 10, root: 100 } as const
/** Expired and exhausted are never stored; `shownStatus` derives them. */
export const TOKEN_STATUS = { enabled: 1, disabled: 2, expired: 3, exhausted: 4 } as const
/** Status of a channel, and of each of its keys. */
export const CHANNEL_STATUS = { enabled: 1, disabled: 2, autoDisabled: 3 } as const
export const REDEMPTION_STATUS = { unused: 1, disabled: 2, used: 3 } as const
/** Status of a charge by another program: `opening` until its hold exists, `autoConfirmed` because it expired. */
export const TRANSACTION_STATUS = { opening: 0, pending: 1, confirmed: 2, autoConfirmed: 3, cancelled: 4 } as const
/** `all` is only for filters and never in a row. */
export const LOG_TYPE = { all: 0, topup: 1, consume: 2, management: 3, system: 4, test: 5 } as const
