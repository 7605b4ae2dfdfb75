/** Numbers and times in findings, the same in every language. */

const UNITS = ['kB', 'MB', 'GB', 'TB'] as const

/** Bytes: `1.2 GB`. */
export function sizeText(bytes: number): string {
  let value = bytes / 1_000
  let unit: string = UNITS[0]
  for (const next of UNITS.slice(1)) {
    if (value < 1_000) break
    value /= 1_000
    unit = next
  }
  return `${value < 10 ? value.toFixed(1) : Math.round(value)} ${unit}`
}

/** Unix milliseconds: `2026-11-24`. */
export function dayText(ms: number): string {
  return momentText(ms).slice(0, 10)
}

/** Unix milliseconds: `2026-11-24 03:00 UTC`. A number that is not a valid time is shown unchanged. */
export function momentText(ms: number): string {
  const date = new Date(ms)
  if (Number.isNaN(date.getTime())) return String(ms)
  return `${date.toISOString().slice(0, 16).replace('T', ' ')} UTC`
}

/** Names with commas; those beyond `most` are counted. */
export function namesText(names: readonly string[], most = 10): string {
  const rest = names.length - most
  return rest > 0 ? `${names.slice(0, most).join(', ')}, + ${rest}` : names.join(', ')
}
