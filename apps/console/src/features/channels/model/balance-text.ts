import { UNKNOWN } from '~/lib/format/unknown.ts'

const AMOUNT = new Intl.NumberFormat('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 })
const COUNT = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 })
const SIGNS: Readonly<Record<string, string>> = { USD: '$', CNY: '¥' }

/** The balance of an account, in its own currency: `$1,234.50`, `-¥3.00`; a vendor's points without decimals. */
export function balanceText(balance: number, currency: string): string {
  const sign = SIGNS[currency]
  if (Number.isNaN(balance)) return UNKNOWN
  if (sign === undefined) return `${COUNT.format(balance)} ${currency}`.trim()
  return `${balance < 0 ? '-' : ''}${sign}${AMOUNT.format(Math.abs(balance))}`
}
