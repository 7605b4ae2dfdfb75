import { type Mq, mq, mqFromQuota, wholeCharge, wholeQuota } from '@sluice/ledger/units'

/** What the body of an update says about a balance, or about what a token has left. Whole points, as far as not said otherwise. */
export interface SaidQuota {
  /** Undefined: nothing. */
  readonly quota: number | undefined
  /** What its sender was shown. */
  readonly seen: number | undefined
  /** The same as exact text, which bodies that were read here and are sent back have. */
  readonly exact: string | undefined
  /** What had been used when its sender read it, which those of the family's programs have. */
  readonly used: number | undefined
}

/** What is left and what was used, now. mq. */
export interface QuotaNow {
  readonly left: bigint
  readonly used: bigint
}

/**
 * What an update moves, in mq: `add` of a difference, `set` where nobody can tell what its sender had seen; undefined for nothing. A
 * body may be an older copy, and what was spent since must stay spent. So it counts as a change of what its sender had seen: a higher
 * quota adds the difference, a lower one leaves at most that much, and the same one changes nothing.
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

/** What the sender had seen; undefined when the body does not tell. */
function seenBy({ seen, exact, used }: SaidQuota, quota: number, { left, used: usedNow }: QuotaNow): Mq | undefined {
  if (seen !== undefined) return shown(seen, left)
  const text = exact === undefined ? undefined : mqOfText(exact)
  if (text !== undefined) return text
  if (used === undefined) return undefined
  // What is left and what was used add up to what was given, which no charge changes. Both were rounded when they were shown.
  const least = left + usedNow - mqFromQuota(used)
  const most = least + 999n
  const isShown = quota >= wholeQuota(mq(least)) && quota <= wholeQuota(mq(most))
  if (isShown) return mqFromQuota(quota)
  // Of two numbers that it can have been, the one that gives less.
  return wholeCharge(mq(usedNow)) === used ? mq(left) : mqFromQuota(wholeQuota(mq(most)))
}

/** Points that were shown, to the mq where they are shown now. */
function shown(points: number, left: bigint): Mq {
  return wholeQuota(mq(left)) === points ? mq(left) : mqFromQuota(points)
}

/** Undefined for any text that was not written here. */
function mqOfText(text: string): Mq | undefined {
  const match = /^(-?)(\d{1,16})(?:\.(\d{1,3}))?$/.exec(text)
  if (match === null) return undefined
  const [, sign = '', whole = '0', decimals = ''] = match
  const amount = BigInt(whole) * 1_000n + BigInt(decimals.padEnd(3, '0'))
  return mq(sign === '-' ? -amount : amount)
}
