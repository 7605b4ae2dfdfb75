/** Stands for a number that the server did not send, which is NaN; see `read-reply.ts`. */
export const UNKNOWN = '—'

/** Milliseconds below 1,000, otherwise seconds with two decimals. */
export function formatLatency(milliseconds: number): string {
  if (Number.isNaN(milliseconds)) return UNKNOWN
  return milliseconds < 1_000 ? `${Math.round(milliseconds)} ms` : `${(milliseconds / 1_000).toFixed(2)} s`
}

export type LatencyBand = 'fast' | 'normal' | 'slow'

/** Shown green, yellow and red, always with a word or shape that says the same. */
export function latencyBand(milliseconds: number): LatencyBand {
  if (milliseconds < 1_000) return 'fast'
  return milliseconds < 3_000 ? 'normal' : 'slow'
}

const KILO = 1_000

/** `512 B`, `1.5 kB`, `2.0 MB`: decimal steps, one decimal. */
export function formatBytes(bytes: number): string {
  if (Number.isNaN(bytes)) return UNKNOWN
  if (bytes < KILO) return `${bytes} B`
  // 999,950 would read 1000.0 kB, so MB starts there.
  return bytes < 999_950 ? `${(bytes / KILO).toFixed(1)} kB` : `${(bytes / KILO / KILO).toFixed(1)} MB`
}

export function formatRatio(ratio: number): string {
  return Number.isNaN(ratio) ? UNKNOWN : `×${ratio}`
}

/** In the order in which groups are tried. */
export function formatOrder(groups: readonly string[]): string {
  return groups.join(' → ')
}
