import { namedForReply } from '@sluice/contract/fields/token'
import { TOKEN_STATUS, type Token } from '@sluice/contract/token'
import { quotaText, mq, wholeQuota } from '@sluice/ledger/units'
import type { TokenRow } from '@sluice/store/queries/tokens/tokens'
import type { Vault } from '@sluice/store/vault'
import { budgetsOnWire } from '../budgets.ts'
import { usedBeforeOnWire, usedOnWire } from '../quota-wire.ts'
import { groupsOnWire } from './token-groups.ts'
import { shownKey } from './token-key.ts'

/** A token as its owner sees it, with the full key. `now` in unix seconds. */
export function tokenOnWire(row: TokenRow, vault: Vault, now: number): Token {
  const opened = vault.open('token_key', row.keySealed)
  // A key sealed under a lost master key still works, because requests are matched by its digest, but cannot be shown.
  return { ...withoutKey(row, now), key: opened.ok ? shownKey(opened.text) : '' }
}

/** The wire form without the key, for everyone but the owner. */
export function withoutKey(row: Omit<TokenRow, 'keySealed'>, now: number): Omit<Token, 'key'> {
  const { name, unlimited_quota, expired_time, groups, ...settings } = namedForReply(row)
  return {
    id: row.id,
    name,
    status: shownStatus(row, now),
    remain_quota: wholeQuota(mq(row.remain)),
    remain_quota_exact: quotaText(mq(row.remain)),
    ...usedOnWire(row.spent),
    ...usedBeforeOnWire(row.before),
    unlimited_quota,
    created_time: row.createdTime,
    accessed_time: row.lastMs === 0 ? row.createdTime : Math.floor(row.lastMs / 1_000),
    expired_time,
    ...groupsOnWire(groups),
    ...settings,
    session_quota: wholeQuota(mq(row.sessionQuota)),
    budgets: budgetsOnWire(row.budgets, now * 1_000),
  }
}

/** Disabled, expired, exhausted or enabled, in this order. A saved token leaves a state whose reason no longer applies. */
export function shownStatus(
  row: Pick<TokenRow, 'status' | 'expiredTime' | 'unlimited' | 'remain'>,
  now: number,
): number {
  if (row.status === TOKEN_STATUS.disabled) return TOKEN_STATUS.disabled
  if (row.expiredTime > 0 && row.expiredTime <= now) return TOKEN_STATUS.expired
  if (!row.unlimited && row.remain <= 0n) return TOKEN_STATUS.exhausted
  return TOKEN_STATUS.enabled
}
