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

/** True when a 64-bit integer column can hold it. */
export function fitsInt64(value: bigint): boolean {
  return BigInt.asIntN(64, value) === value
}

/** Whole quota points to mq. Throws on a fraction or an unsafe integer: such input must have been refused before. */
export function mqFromQuota(quota: number): Mq {
  if (!Number.isSafeInteger(quota)) throw new RangeError(`quota is not a safe integer: ${quota}`)
  return mq(BigInt(quota) * MQ_PER_QUOTA)
}

/** Balance for display: whole quota points, rounded down (towards minus infinity), so nobody sees quota they lack. */
export function wholeQuota(amount: Mq): number {
  const quotient = amount / MQ_PER_QUOTA
  return Number(amount < 0n && quotient * MQ_PER_QUOTA !== amount ? quotient - 1n : quotient)
}

/** Amount of one log row: quota points with up to three decimals. Never used for sums. */
export function exactQuota(amount: Mq): number {
  return Number(amount) / Number(MQ_PER_QUOTA)
}
