import type { Trace } from '@sluice/contract/log'

type Stamp = keyof Trace['timestamps']

export type StageName = 'processing' | 'upstreamResponse' | 'responseProcessing' | 'streaming' | 'finishing'

/** An interval between two timestamps of a request. Times in milliseconds. */
export interface Stage {
  readonly name: StageName
  /** Time since the request was received. */
  readonly start: number
  readonly duration: number
}

export interface Timeline {
  readonly stages: readonly Stage[]
  /** `undefined` while the end of the request is not known. */
  readonly total: number | undefined
  /** Length of the drawable part; at least 1. */
  readonly span: number
}

const STAGES: readonly { readonly name: StageName; readonly from: Stamp; readonly to: Stamp }[] = [
  { name: 'processing', from: 'request_received', to: 'request_forwarded' },
  { name: 'upstreamResponse', from: 'request_forwarded', to: 'first_upstream_response' },
  { name: 'responseProcessing', from: 'first_upstream_response', to: 'first_client_response' },
  { name: 'streaming', from: 'first_client_response', to: 'upstream_completed' },
  { name: 'finishing', from: 'upstream_completed', to: 'request_completed' },
]

/** The server's own measurement of a stage takes precedence over the difference of its timestamps. */
const MEASURED = {
  processing: 'processing_time',
  upstreamResponse: 'upstream_response_time',
  responseProcessing: 'response_processing_time',
  streaming: 'streaming_time',
} as const satisfies Partial<Record<StageName, keyof Trace['durations']>>

/** Stages that the request reached, in order. A stage without both ends is left out. */
export function timeline({ timestamps, durations }: Pick<Trace, 'timestamps' | 'durations'>): Timeline {
  // A request without this timestamp starts at its first known one.
  const known = Object.values(timestamps).flatMap((at) => (at === undefined || Number.isNaN(at) ? [] : at))
  const received = Number.isNaN(timestamps.request_received) ? Math.min(...known) : timestamps.request_received
  const moments = inOrder({ ...timestamps, request_received: received })
  const stages = STAGES.flatMap(({ name, from, to }): Stage[] => {
    const begin = moments[from]
    const end = moments[to]
    if (begin === undefined || end === undefined) return []
    const measured = name === 'finishing' ? undefined : durations[MEASURED[name]]
    return [{ name, start: begin - received, duration: Math.max(0, measured ?? end - begin) }]
  })
  const completed = moments.request_completed
  const total = durations.total_time ?? (completed === undefined ? undefined : completed - received)
  const span = Math.max(1, total ?? 0, ...stages.map(({ start, duration }) => start + duration))
  return { stages, total, span }
}

/** Makes no timestamp earlier than the one before it, even if the clocks of several servers differ. */
function inOrder(timestamps: Trace['timestamps']): Trace['timestamps'] {
  const ordered = { ...timestamps }
  let latest = timestamps.request_received
  for (const { to } of STAGES) {
    const at = timestamps[to]
    if (at !== undefined) ordered[to] = latest = Math.max(latest, at)
  }
  return ordered
}
