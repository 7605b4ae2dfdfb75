import type { QuotaDisplay } from '~/lib/format/quota.ts'

/** Codes are valued at 500,000 points per currency unit, whatever the settings say: the value printed on a code does not change. */
export const FIXED_UNIT: QuotaDisplay = { quota_per_unit: 500_000, display_in_currency: true }
