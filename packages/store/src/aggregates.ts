/**
 * A count or sum as a number. Aggregates come as number or bigint depending on the engine; null (the sum of no rows) is 0. Throws
 * beyond 2^53, where a number would be inexact.
 */
export function asNumber(value: number | bigint | string | null): number {
  const number = Number(value ?? 0)
  if (Math.abs(number) > Number.MAX_SAFE_INTEGER) throw new RangeError(`aggregate exceeds 2^53: ${value}`)
  return number
}

/** A sum of money as bigint; null (the sum of no rows) is 0. */
export function asBigInt(value: number | bigint | string | null): bigint {
  return BigInt(value ?? 0)
}
