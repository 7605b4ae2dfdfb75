import { quotaText, mq, wholeCharge } from '@sluice/ledger/units'
import type { UsedBefore } from '@sluice/store/queries/accounts/used-before'

/** The charged amount (mq): in whole points for the family's programs, and exactly. */
export function chargedOnWire(amount: bigint) {
  return { quota: wholeCharge(mq(amount)), quota_exact: quotaText(mq(amount)) }
}

export function usedOnWire(spent: bigint) {
  return { used_quota: wholeCharge(mq(spent)), used_quota_exact: quotaText(mq(spent)) }
}

/** The amount used at other gateways before an import; nothing for objects created here. */
export function usedBeforeOnWire(before: UsedBefore | null) {
  return before === null
    ? {}
    : { used_quota_before: wholeCharge(mq(before.used)), request_count_before: before.requests }
}
