import { decimalText, MQ_PLACES } from './decimal-text.ts'

declare const mqBrand: unique symbol

/**
 * Money: thousandths of a quota point ("mq") as bigint. At the default rate one mq is two nano-dollars.
 * bigint cannot be added to number, so a float cannot slip into a balance.
 */
export type Mq = bigint & { readonly [mqBrand]: true }

const MQ_PER_QUOTA = 1_000n

/** Marks a bigint that already counts mq. */
export function mq(value: bigint): Mq {
  return value as Mq
}

export function fitsInt64(value: bigint): boolean {
  return BigInt.asIntN(64, value) === value
}

/** Whole quota points to mq. Throws on a fraction or an unsafe integer: such input must have been refused earlier. */
export function mqFromQuota(quota: number): Mq {
  if (!Number.isSafeInteger(quota)) throw new RangeError(`quota is not a safe integer: ${quota}`)
  return mq(BigInt(quota) * MQ_PER_QUOTA)
}

/** The remaining whole points, rounded down (to −∞), so no one sees quota they do not have. Show the exact amount next to it. */
export function wholeQuota(amount: Mq): number {
  const quotient = amount / MQ_PER_QUOTA
  return Number(amount < 0n && quotient * MQ_PER_QUOTA !== amount ? quotient - 1n : quotient)
}

/**
 * A charged amount in whole points, rounded up, so that the remaining and the charged amount add up to a whole grant, and no charge
 * looks free. Sums are rounded once, not their parts.
 */
export function wholeCharge(amount: Mq): number {
  return Number((amount > 0n ? amount + MQ_PER_QUOTA - 1n : amount) / MQ_PER_QUOTA)
}

/** Quota points as exact decimal text with up to three decimals. */
export function quotaText(amount: Mq): string {
  return decimalText(amount, MQ_PLACES)
}

/** The same as a number, for metrics and spans. Never used for sums. */
export function exactQuota(amount: Mq): number {
  return Number(amount) / Number(MQ_PER_QUOTA)
}
