/** The log types and statuses of codes that the rules write. The store has all of them, in `statuses.ts`. */
export const LOG_TYPE = { topup: 1, consume: 2, management: 3, system: 4 } as const
export const REDEMPTION_STATUS = { unused: 1, used: 3 } as const
