/**
 * Where a relayed stream stands.
 * open     → bytes may come
 * done     → the terminal event was seen and is held in `terminal`; later bytes are ignored
 * failed   → an error event was seen; it and everything after it is held back, usage is still read
 * too_large→ one event exceeded EVENT_LIMIT; later bytes are ignored
 */
export type SseRelayState = 'open' | 'done' | 'failed' | 'too_large'

export interface SseRelay {
  readonly state: SseRelayState
  /** Bytes of the held terminal event, to be sent after the charge is committed. Empty before `done`. */
  readonly terminal: Uint8Array
  /**
   * Takes the next bytes and answers what to send now: whole events only, in order, each piece a view of `chunk` or
   * a copy of ours. Never throws; keeps no reference to `chunk`.
   */
  push(chunk: Uint8Array): readonly Uint8Array[]
  /** Call at the end of input (or after `done`). */
  end(): SseRelayEnd
}

export interface SseRelayEnd {
  /** `complete`: `[DONE]` was seen, or a finish reason and then the end. `broken`: anything else. */
  readonly outcome: 'complete' | 'broken'
  /** Why it is broken; empty when complete. */
  readonly reason: string
  /** Last bytes to send before the terminal: a final event whose blank line the upstream forgot. */
  readonly forward: readonly Uint8Array[]
}
