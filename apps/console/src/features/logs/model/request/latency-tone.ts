import type { LatencyBand } from '~/lib/format/latency.ts'

/** Green, yellow and red of the badge; each has its own shape. */
export const LATENCY_TONES = { fast: 'good', normal: 'warn', slow: 'bad' } as const satisfies Record<
  LatencyBand,
  string
>
