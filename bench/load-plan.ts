import type { CpuByGroup } from './thread-groups.ts'

/** What `load.ts` is asked to do. */
export interface LoadPlan {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** Request body, sent unchanged. */
  readonly body: string
  readonly stream: boolean
  /** What the end of a whole answer contains; `data: [DONE]` in a stream and `"usage"` in JSON unless given. */
  readonly ending?: string
  /** This many bytes replace `PICTURE` in the body: too many for a command line. */
  readonly pictureBytes?: number
  /** Process whose CPU time the report tells. */
  readonly pid?: number
  readonly pattern: Pattern
}

export type Pattern =
  /** One call after the other on each connection; no more are started after `withinMs`. */
  | { readonly kind: 'closed'; readonly connections: number; readonly requests: number; readonly withinMs?: number }
  /** Starts are spaced evenly, whether or not earlier ones have ended. */
  | { readonly kind: 'paced'; readonly perSecond: number; readonly requests: number }
  /**
   * Opens streams evenly over `openingMs` and waits for at most `patienceMs` until each has sent its first event; the report is
   * about the `measuredMs` from then on. Streams that last longer than another `patienceMs` are left.
   */
  | {
      readonly kind: 'steady'
      readonly streams: number
      readonly openingMs: number
      readonly patienceMs: number
      readonly measuredMs: number
    }
  /** Opens streams, prints `open` when each has sent its first event, ends with standard input. */
  | { readonly kind: 'held'; readonly streams: number }

/** What it found. */
export interface LoadReport {
  readonly complete: number
  readonly failed: number
  /** What the first failure was. */
  readonly failure: string
  /** Server-sent events received, and the pieces in which they came. */
  readonly events: number
  readonly pieces: number
  readonly seconds: number
  /** Streams that were open when it began to measure a steady pace; otherwise 0. */
  readonly opened: number
  /** What the threads of `pid` used in these seconds, in nanoseconds; empty without one. */
  readonly cpuNs: CpuByGroup
  /** What the load generator itself used, in nanoseconds. */
  readonly clientCpuNs: number
  readonly p50Ms: number
  readonly p99Ms: number
  /** The middle latency of the last quarter of the calls: higher than the others where a target falls behind. */
  readonly lateP50Ms: number
  /** How much later than planned the calls of the last quarter started, in the middle. */
  readonly startLagMs: number
  /** Between two pieces of one stream. */
  readonly gapP50Ms: number
  readonly gapP99Ms: number
}
