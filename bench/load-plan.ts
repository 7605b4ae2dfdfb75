import type { CpuByGroup } from './thread-groups.ts'

/** A further gateway that gets the same load at the same time. */
export interface Destination {
  readonly url: string
  /** Keys of its callers, who call in turn. */
  readonly keys: readonly string[]
  readonly pid: number
}

export interface LoadPlan {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly stream: boolean
  /** Part of the end of a whole answer; by default `data: [DONE]` in a stream and `"usage"` in JSON. */
  readonly ending?: string
  /** This many bytes replace `PICTURE` in the body, because they are too many for a command line. */
  readonly pictureBytes?: number
  /** Process whose CPU time is reported. */
  readonly pid?: number
  /** Instead of `url` and `pid`: the report is about all of them together, and a pattern applies to each. */
  readonly destinations?: readonly Destination[]
  /** A server whose CPU time is reported apart: that of all its processes except these. */
  readonly server?: { readonly pid: number; readonly except: readonly number[] }
  readonly pattern: Pattern
}

export type Pattern =
  /** One call after the other on each connection; no new calls after `withinMs`. */
  | { readonly kind: 'closed'; readonly connections: number; readonly requests: number; readonly withinMs?: number }
  /** Starts are spaced evenly, whether or not earlier calls have ended. */
  | { readonly kind: 'paced'; readonly perSecond: number; readonly requests: number }
  /**
   * Opens streams evenly over `openingMs` and waits for at most `patienceMs` until each has sent its first event; the report covers
   * the following `measuredMs`. Streams that last another `patienceMs` longer are abandoned.
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

export interface LoadReport {
  readonly complete: number
  readonly failed: number
  readonly failure: string
  /** Server-sent events received, and the pieces in which they came. */
  readonly events: number
  readonly pieces: number
  readonly seconds: number
  /** Streams that were open when it began to measure a steady pace; otherwise 0. */
  readonly opened: number
  /** CPU use of `pid` in these seconds, in nanoseconds by thread group; empty without a `pid`. */
  readonly cpuNs: CpuByGroup
  /** CPU use of `server`, in nanoseconds; 0 without one. */
  readonly serverCpuNs: number
  /** CPU use of the load generator itself, in nanoseconds. */
  readonly clientCpuNs: number
  readonly p50Ms: number
  readonly p99Ms: number
  /** Median latency of the last quarter of the calls: higher than the others when a target falls behind. */
  readonly lateP50Ms: number
  /** Median delay of the starts of the last quarter of the calls. */
  readonly startLagMs: number
  /** Between two pieces of one stream. */
  readonly gapP50Ms: number
  readonly gapP99Ms: number
}
