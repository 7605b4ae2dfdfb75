/**
 * `owner_id` of the accounts of kind `system`. Money comes from `issuance` (its balance is minus everything ever given) and goes to
 * `revenue`: engines open both with the first batch. Balances from another gateway come from `equity`, which is opened with the
 * first import.
 */
export const SYSTEM_OWNER = { issuance: 1, revenue: 2, equity: 3 } as const
