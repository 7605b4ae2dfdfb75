/**
 * `owner_id` of the two accounts of kind `system`. Money comes from `issuance` (its balance is minus everything ever given) and
 * goes to `revenue`. Engines open them with the first batch.
 */
export const SYSTEM_OWNER = { issuance: 1, revenue: 2 } as const
