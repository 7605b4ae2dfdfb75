/** Decimals of an amount in mq, of a rate in 10^-9 quota and of a group ratio in millionths. */
export const MQ_PLACES = 3
export const RATE_PLACES = 9
export const RATIO_PLACES = 6

/** A whole number of 10^-places as exact decimal text without trailing zeros: (1_250n, 3) is `1.25`. */
export function decimalText(value: bigint, decimals: number): string {
  const digits = (value < 0n ? -value : value).toString().padStart(decimals + 1, '0')
  const whole = digits.slice(0, digits.length - decimals)
  const fraction = digits.slice(digits.length - decimals).replace(/(?<!0)0+$/, '')
  return `${value < 0n ? '-' : ''}${whole}${fraction === '' ? '' : `.${fraction}`}`
}

/** Longest text that is read; a 64-bit integer with its point and sign has 21 characters. */
const TEXT_LIMIT = 40

/** Reads what `decimalText` writes; undefined for any other text or for more than `decimals` decimals. */
export function parseDecimalText(text: string, decimals: number): bigint | undefined {
  const parts = text.length > TEXT_LIMIT ? null : /^(-?)(\d+)(?:\.(\d+))?$/.exec(text)
  const [, sign = '', whole = '', fraction = ''] = parts ?? []
  if (parts === null || fraction.length > decimals) return undefined
  const value = BigInt(whole + fraction.padEnd(decimals, '0'))
  return sign === '' ? value : -value
}
