import { UNKNOWN } from './unknown.ts'

/** Milliseconds under 1,000, seconds with two decimals from there on. */
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
