import { parseAttempts, type Trace, type TraceAttempt } from '@sluice/contract/log'
import { parseRoutingDecision } from '@sluice/contract/routing'
import type { LogRow } from '@sluice/store/queries/logs/logs'
import type { StoredTrace } from '@sluice/store/queries/logs/traces'

/** The timeline of one request in wire form. Without `showChannel` it tells neither where the request went nor why. */
export function traceRecord(
  row: StoredTrace,
  log: Pick<LogRow, 'id' | 'username' | 'type' | 'content'>,
  view: { readonly showChannel: boolean },
): Trace {
  const attempts = parseAttempts(row.attempts)
  const [received = 0, forwarded = 0, firstUpstream = 0, firstClient = 0, upstreamEnd = 0, completed = 0] = inOrder([
    row.received_ms,
    row.forwarded_ms,
    row.first_upstream_ms,
    row.first_client_ms,
    row.upstream_completed_ms,
    row.completed_ms,
  ])
  const routing = view.showChannel ? parseRoutingDecision(row.routing) : undefined
  return {
    trace_id: row.request_id,
    url: row.url,
    method: row.method,
    status: row.status,
    body_size: row.body_size,
    created_at: row.received_ms,
    timestamps: {
      request_received: received,
      ...reached('request_forwarded', forwarded),
      ...reached('first_upstream_response', firstUpstream),
      ...reached('first_client_response', firstClient),
      ...reached('upstream_completed', upstreamEnd),
      ...reached('request_completed', completed),
    },
    durations: {
      ...between('processing_time', received, forwarded),
      ...between('upstream_response_time', forwarded, firstUpstream),
      ...between('response_processing_time', firstUpstream, firstClient),
      ...between('streaming_time', firstClient, upstreamEnd),
      ...between('total_time', received, completed),
    },
    attempts: view.showChannel ? attempts : attempts.map(withoutChannel),
    ...(routing === undefined ? {} : { routing }),
    log: { id: log.id, username: log.username, type: log.type, content: log.content },
  }
}

/** What a user may know about an attempt: when it was, and how it ended. */
function withoutChannel({ started, ended, status, error }: TraceAttempt): TraceAttempt {
  return { channel: 0, channel_name: '', started, ended, status, error }
}

type Named<Name extends string> = { readonly [Key in Name]?: number }

/** A stage that was never reached is stored as 0 and left out. */
function reached<Name extends string>(name: Name, at: number): Named<Name> {
  return at > 0 ? ({ [name]: at } as Named<Name>) : {}
}

/**
 * Moves a stage that is dated before an earlier stage to that stage's time. Clocks can step back, and older versions stored the
 * first byte of a plain answer after its provider's end.
 */
function inOrder(moments: readonly number[]): readonly number[] {
  let latest = 0
  return moments.map((at) => (at === 0 ? 0 : (latest = Math.max(latest, at))))
}

/** Empty unless both stages were reached. */
function between<Name extends string>(name: Name, from: number, to: number): Named<Name> {
  return from > 0 && to > 0 ? ({ [name]: to - from } as Named<Name>) : {}
}
