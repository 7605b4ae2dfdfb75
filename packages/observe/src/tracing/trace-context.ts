/** The trace that a request belongs to. https://www.w3.org/TR/trace-context/ */
export interface TraceContext {
  /** 32 hex digits. */
  readonly traceId: string
  /** The client's current span, 16 hex digits; undefined if the trace begins here. */
  readonly parentId: string | undefined
  /** False if the client says that this trace is not recorded. */
  readonly isWanted: boolean
}

/** Version 00; a later version is read like it if it begins the same, as the specification demands. */
const TRACEPARENT = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(?:$|-)/
const SAMPLED = 1

/**
 * A client that sends a valid `traceparent` continues its own trace; any other request begins one under its own id, which has the
 * form of a trace id. Neither is ever sent to providers.
 */
export function traceContext(requestId: string, traceparent: string | undefined): TraceContext {
  const parts = traceparent === undefined ? null : TRACEPARENT.exec(traceparent)
  const [, traceId, parentId, flags] = parts ?? []
  if (traceparent === undefined || traceId === undefined || flags === undefined || isOverlong(traceparent)) {
    return { traceId: requestId, parentId: undefined, isWanted: true }
  }
  return { traceId, parentId, isWanted: (Number.parseInt(flags, 16) & SAMPLED) === SAMPLED }
}

/** Version 00 has nothing after its flags. */
const isOverlong = (traceparent: string) => traceparent.startsWith('00') && traceparent.length > 55

/** Decided by the id's last seven bytes, as in OpenTelemetry, so that all replicas decide alike. `share` is from 0 to 1. */
export function isSampled(traceId: string, share: number): boolean {
  return Number.parseInt(traceId.slice(-14, -1), 16) < share * 2 ** 52
}
