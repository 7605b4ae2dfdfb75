import { UNKNOWN } from './units.ts'

export interface QuotaDisplay {
  readonly quota_per_unit: number
  readonly display_in_currency: boolean
}

/** 2 in overviews, 4 for the average cost of a request, 6 in tooltips. */
export type CurrencyDecimals = 2 | 4 | 6

/** Created in advance, because a chart's table formats thousands of numbers. */
const AMOUNTS: Readonly<Record<CurrencyDecimals, Intl.NumberFormat>> = { 2: fixed(2), 4: fixed(4), 6: fixed(6) }
const COUNTS = new Intl.NumberFormat('en-US', { maximumFractionDigits: 3 })

function fixed(decimals: number): Intl.NumberFormat {
  return new Intl.NumberFormat('en-US', { minimumFractionDigits: decimals, maximumFractionDigits: decimals })
}

/** Money with a `$`, or an abbreviated count if the settings say so. */
export function formatQuota(quota: number, display: QuotaDisplay, decimals: CurrencyDecimals = 2): string {
  return display.display_in_currency ? formatCurrency(quota, display, decimals) : abbreviateCount(quota)
}

/** Exact if the gateway sends the exact amount, otherwise whole. */
export function pointsOf(whole: number, exact: string | undefined): number {
  return exact === undefined ? whole : Number(exact)
}

/** Money, whatever the settings say, for estimates next to a field that takes points. */
export function formatCurrency(quota: number, display: QuotaDisplay, decimals: CurrencyDecimals = 2): string {
  if (Number.isNaN(quota)) return UNKNOWN
  const amount = display.quota_per_unit > 0 ? quota / display.quota_per_unit : 0
  const digits = AMOUNTS[decimals].format(Math.abs(amount))
  const isZero = Number(digits.replaceAll(',', '')) === 0
  return `${amount < 0 && !isZero ? '-' : ''}$${digits}`
}

/** 950, 1.5K, 2.0M: thousands and millions with one decimal. */
export function abbreviateCount(count: number): string {
  const size = Math.abs(count)
  // 999,950 would read 1000.0K, so M starts there.
  if (size >= 999_950) return `${(count / 1_000_000).toFixed(1)}M`
  if (size >= 1_000) return `${(count / 1_000).toFixed(1)}K`
  return formatCount(count)
}

/** 1,234,567. At most three decimals, which is as exact as charges are. */
export function formatCount(count: number): string {
  return Number.isNaN(count) ? UNKNOWN : COUNTS.format(count)
}
