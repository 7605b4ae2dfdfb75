/** Exact decimal text with thousands separators: `1234567.25` reads `1,234,567.25`. It is never converted to a number. */
export function formatExact(text: string): string {
  const [whole = '', fraction] = text.split('.')
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',')
  return fraction === undefined ? grouped : `${grouped}.${fraction}`
}

/** Compares two non-negative decimal texts: less than 0 when the first is smaller. */
export function compareExact(a: string, b: string): number {
  const [places, left, right] = [Math.max(placesOf(a), placesOf(b)), a, b]
  const difference = scaled(left, places) - scaled(right, places)
  return difference < 0n ? -1 : difference > 0n ? 1 : 0
}

function placesOf(text: string): number {
  return text.split('.')[1]?.length ?? 0
}

function scaled(text: string, places: number): bigint {
  const [whole = '', fraction = ''] = text.split('.')
  return BigInt(whole + fraction.padEnd(places, '0'))
}
