import type { QuotaDisplay } from '../../../lib/format/quota.ts'

/** Codes are valued at 500,000 points per currency unit, whatever the settings say: what is printed on a code stays what it was. */
export const FIXED_UNIT: QuotaDisplay = { quota_per_unit: 500_000, display_in_currency: true }
