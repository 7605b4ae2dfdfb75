import { parseAttempts, type Trace, type TraceAttempt } from '@sluice/contract/log'
import { parseRoutingDecision } from '@sluice/contract/routing'
import type { LogRow } from '@sluice/store/queries/logs'
import type { StoredTrace } from '@sluice/store/queries/traces'

/** The timeline of one request on the wire. Without `showChannel` it does not say where it went, nor why. */
export function traceRecord(
  row: StoredTrace,
  log: Pick<LogRow, 'id' | 'username' | 'type' | 'content'>,
  view: { readonly showChannel: boolean },
): Trace {
  const attempts = parseAttempts(row.attempts)
  const routing = view.showChannel ? parseRoutingDecision(row.routing) : undefined
  return {
    trace_id: row.request_id,
    url: row.url,
    method: row.method,
    status: row.status,
    body_size: row.body_size,
    created_at: row.received_ms,
    timestamps: {
      request_received: row.received_ms,
      ...reached('request_forwarded', row.forwarded_ms),
      ...reached('first_upstream_response', row.first_upstream_ms),
      ...reached('first_client_response', row.first_client_ms),
      ...reached('upstream_completed', row.upstream_completed_ms),
      ...reached('request_completed', row.completed_ms),
    },
    durations: {
      ...between('processing_time', row.received_ms, row.forwarded_ms),
      ...between('upstream_response_time', row.forwarded_ms, row.first_upstream_ms),
      ...between('response_processing_time', row.first_upstream_ms, row.first_client_ms),
      ...between('streaming_time', row.first_client_ms, row.upstream_completed_ms),
      ...between('total_time', row.received_ms, row.completed_ms),
    },
    attempts: view.showChannel ? attempts : attempts.map(withoutChannel),
    ...(routing === undefined ? {} : { routing }),
    log: { id: log.id, username: log.username, type: log.type, content: log.content },
  }
}

/** What a user may know of an attempt: when it was, and how it ended. */
function withoutChannel({ started, ended, status, error }: TraceAttempt): TraceAttempt {
  return { channel: 0, channel_name: '', started, ended, status, error }
}

type Named<Name extends string> = { readonly [Key in Name]?: number }

/** A stage that was never reached is stored as 0 and left out. */
function reached<Name extends string>(name: Name, at: number): Named<Name> {
  return at > 0 ? ({ [name]: at } as Named<Name>) : {}
}

/** Present only when both ends were reached. Clocks may step back between two stages; no time is negative. */
function between<Name extends string>(name: Name, from: number, to: number): Named<Name> {
  return from > 0 && to > 0 ? ({ [name]: Math.max(0, to - from) } as Named<Name>) : {}
}
