/** An exact decimal: digits × 10^-scale. */
export interface Decimal {
  readonly digits: bigint
  readonly scale: number
}
