/** The middle value, or the mean of the two middle ones; NaN for an empty list. */
export function median(values: readonly number[]): number {
  return percentile(values, 0.5)
}

/** Linear between the two nearest ranks; `share` from 0 to 1. NaN for an empty list. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  const rank = (sorted.length - 1) * share
  const below = sorted[Math.floor(rank)] ?? NaN
  const above = sorted[Math.ceil(rank)] ?? NaN
  return below + (above - below) * (rank - Math.floor(rank))
}
