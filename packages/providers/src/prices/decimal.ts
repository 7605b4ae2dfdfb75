/** An exact non-negative decimal: digits × 10^-scale. */
export interface Decimal {
  readonly digits: bigint
  readonly scale: number
}

/** Longest text and largest exponent; both far beyond any price. */
const TEXT_LIMIT = 64
const EXPONENT_LIMIT = 60

/** Reads `0.075`, `12`, `1.5e-7`; undefined for everything else, including negative numbers. */
export function decimal(text: string): Decimal | undefined {
  const parts = text.length > TEXT_LIMIT ? null : /^(\d+)(?:\.(\d+))?(?:e([+-]?\d{1,3}))?$/i.exec(text)
  if (parts === null) return undefined
  const [, whole = '', fraction = '', exponent = '0'] = parts
  const scale = fraction.length - Number(exponent)
  if (Math.abs(scale) > EXPONENT_LIMIT) return undefined
  const digits = BigInt(whole + fraction)
  return scale >= 0 ? { digits, scale } : { digits: digits * 10n ** BigInt(-scale), scale: 0 }
}

/**
 * A JSON number as the decimal that it was written as: a number's shortest text is the text it was parsed from, up to 15
 * significant digits. Undefined for negative and non-finite numbers.
 */
export function decimalOfNumber(value: number): Decimal | undefined {
  return Number.isFinite(value) ? decimal(String(value)) : undefined
}

export function multiply(a: Decimal, b: Decimal): Decimal {
  return { digits: a.digits * b.digits, scale: a.scale + b.scale }
}

/** The value × 10^power, rounded up to a whole number. */
export function scaledUp(value: Decimal, power: number): bigint {
  const shift = power - value.scale
  return shift >= 0 ? value.digits * 10n ** BigInt(shift) : divideUp(value.digits, 10n ** BigInt(-shift))
}

/** a ÷ b rounded up; both positive. */
export function divideUp(a: bigint, b: bigint): bigint {
  return (a + b - 1n) / b
}

/** a ÷ b with at most `places` decimals, rounded down, as text without trailing zeros. */
export function quotientText(a: bigint, b: bigint, places: number): string {
  const scaled = ((a * 10n ** BigInt(places)) / b).toString().padStart(places + 1, '0')
  const text = `${scaled.slice(0, -places)}.${scaled.slice(-places)}`
  return text.replace(/(?:\.|(?<![.0]))0+$/, '')
}
