import type { LatencyBand } from '../../../lib/format/latency.ts'

/** Green, yellow and red of the badge; its shape differs with them. */
export const LATENCY_TONES = { fast: 'good', normal: 'warn', slow: 'bad' } as const satisfies Record<
  LatencyBand,
  string
>
