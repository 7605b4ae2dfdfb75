/** A price as decimal text, without floating-point noise. */
export function text(price: number): string {
  const rounded = Number(price.toPrecision(12))
  return String(rounded).includes('e') ? rounded.toFixed(15).replace(/\.?0+$/, '') : String(rounded)
}

export function timesTwo(price: string): string {
  return text(Number(price) * 2)
}

export function perOne(priceOfThousand: number): string {
  return text(priceOfThousand / 1_000)
}
