import type { LoadReport, Pattern } from '../load-plan.ts'

/** Whether a target kept up: processor time means nothing when calls queue or several chunks arrive as one. */

/** The median delay of a call above its minimum that counts as queuing. */
const QUEUED_MS = 150
/** How late the load generator itself may be. */
const LATE_MS = 50
/** A target that is slower than the provider reads several chunks at a time, and passes them on together. */
const EVENTS_PER_PIECE = 1.1
/** Below this share of the planned pace, the actual pace is stated: on a small machine the provider itself falls behind. */
const STATED_PACE = 0.9
/** Below this share, the figure does not count for the planned pace. */
const LEAST_PACE = 0.6

export interface Expected {
  /** The provider's own milliseconds per call. */
  readonly providerMs: number
  /** Milliseconds between two chunks of a stream. */
  readonly gapMs: number
}

/** Why the measured processor time means nothing; undefined when it is valid. */
export function whyBehind(report: LoadReport, pattern: Pattern, expected: Expected): string | undefined {
  if (report.failed > 0) return `${report.failed} of ${report.failed + report.complete} failed: ${report.failure}`
  if (pattern.kind === 'paced') return whyBehindRate(report, pattern.perSecond, expected)
  return pattern.kind === 'steady' ? whyBehindPace(report, pattern.streams, expected) : undefined
}

function whyBehindRate(
  { complete, seconds, lateP50Ms, startLagMs }: LoadReport,
  perSecond: number,
  { providerMs }: Expected,
): string | undefined {
  if (startLagMs > LATE_MS) return `the load generator could not send ${perSecond} a second`
  if (lateP50Ms <= providerMs + QUEUED_MS) return undefined
  return `${(complete / seconds).toFixed(0)} of ${perSecond} requests a second`
}

function whyBehindPace(report: LoadReport, streams: number, { gapMs }: Expected): string | undefined {
  const { opened, events, pieces } = report
  const pace = paceOf(report, streams, gapMs)
  if (opened < streams) return `opened ${opened} of ${streams} streams in time, ${pace.text}`
  if (events > pieces * EVENTS_PER_PIECE) return `${pace.text}, ${(events / pieces).toFixed(1)} at a time`
  return pace.share < LEAST_PACE ? pace.text : undefined
}

/** The actual pace of single chunks, if lower than planned. */
export function lowerPace(report: LoadReport, pattern: Pattern, { gapMs }: Expected): string | undefined {
  if (pattern.kind !== 'steady') return undefined
  const pace = paceOf(report, pattern.streams, gapMs)
  return pace.share < STATED_PACE ? `at ${pace.text}` : undefined
}

function paceOf({ events, seconds }: Pick<LoadReport, 'events' | 'seconds'>, streams: number, gapMs: number) {
  const [pace, nominal] = [events / seconds, (streams * 1000) / gapMs]
  return { share: pace / nominal, text: `${pace.toFixed(0)} of ${nominal.toFixed(0)} chunks a second` }
}
