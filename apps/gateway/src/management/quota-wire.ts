import { quotaText, mq, wholeCharge } from '@sluice/ledger/units'

/** What was charged (mq): in whole points for the family's programs, and exactly. */
export function chargedOnWire(amount: bigint) {
  return { quota: wholeCharge(mq(amount)), quota_exact: quotaText(mq(amount)) }
}

/** The same for what a user has spent in total. */
export function usedOnWire(spent: bigint) {
  return { used_quota: wholeCharge(mq(spent)), used_quota_exact: quotaText(mq(spent)) }
}
