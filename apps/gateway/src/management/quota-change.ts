import { type Mq, mq, mqFromQuota, wholeCharge, wholeQuota } from '@sluice/ledger/units'

/** A balance, or a token's remaining quota, in the body of an update. Whole points unless stated otherwise. */
export interface SaidQuota {
  /** Undefined if the body does not contain it. */
  readonly quota: number | undefined
  /** The quota shown to its sender. */
  readonly seen: number | undefined
  /** `seen` as exact text, from a body that was read here and is sent back. */
  readonly exact: string | undefined
  /** The used amount when the sender read it; in bodies from programs of the family. */
  readonly used: number | undefined
}

/** In mq. */
export interface QuotaNow {
  readonly left: bigint
  readonly used: bigint
}

/**
 * The amount that an update moves, in mq: `add` for a difference, `set` if it is unknown what the sender had seen; undefined for
 * nothing. A body may be an older copy, and later spending must stay spent, so it counts as a change relative to what its sender
 * had seen: a higher quota adds the difference, a lower one leaves at most that much, and the same one changes nothing.
 */
export function quotaChange(
  said: SaidQuota,
  now: QuotaNow,
): { readonly mode: 'add' | 'set'; readonly amount: Mq } | undefined {
  if (said.quota === undefined) return undefined
  const wanted = mqFromQuota(said.quota)
  const seen = seenBy(said, said.quota, now)
  if (seen === undefined) return wholeQuota(mq(now.left)) === said.quota ? undefined : { mode: 'set', amount: wanted }
  if (wholeQuota(seen) === said.quota) return undefined
  const difference = wanted > seen ? wanted - seen : wanted < now.left ? wanted - now.left : 0n
  return difference === 0n ? undefined : { mode: 'add', amount: mq(difference) }
}

/** The quota that the sender had seen; undefined if the body does not show it. */
function seenBy({ seen, exact, used }: SaidQuota, quota: number, { left, used: usedNow }: QuotaNow): Mq | undefined {
  if (seen !== undefined) return shown(seen, left)
  const text = exact === undefined ? undefined : mqOfText(exact)
  if (text !== undefined) return text
  if (used === undefined) return undefined
  // The remaining and used amounts add up to the granted amount, which no charge changes. Both were rounded for display.
  const least = left + usedNow - mqFromQuota(used)
  const most = least + 999n
  const isShown = quota >= wholeQuota(mq(least)) && quota <= wholeQuota(mq(most))
  if (isShown) return mqFromQuota(quota)
  // Of the two possible numbers, the one that grants less.
  return wholeCharge(mq(usedNow)) === used ? mq(left) : mqFromQuota(wholeQuota(mq(most)))
}

/** The displayed points, exact to the mq if the current amount is displayed as the same number. */
function shown(points: number, left: bigint): Mq {
  return wholeQuota(mq(left)) === points ? mq(left) : mqFromQuota(points)
}

/** Undefined for any text that this gateway did not write. */
function mqOfText(text: string): Mq | undefined {
  const match = /^(-?)(\d{1,16})(?:\.(\d{1,3}))?$/.exec(text)
  if (match === null) return undefined
  const [, sign = '', whole = '0', decimals = ''] = match
  const amount = BigInt(whole) * 1_000n + BigInt(decimals.padEnd(3, '0'))
  return mq(sign === '-' ? -amount : amount)
}
