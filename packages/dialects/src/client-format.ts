import type { DeltaText } from './canon/delta-text.ts'
import type { WireError } from './canon/upstream-error.ts'

/** How the gateway itself answers clients of one dialect: errors, keep-alives, and which parts of answers it understands. */
export interface ClientFormat {
  readonly streamType: string
  /** Sent during a long silence; clients skip it. Empty if a dialect has no such message. */
  readonly ping: Uint8Array
  /** An error as a whole body; the message ends with ` (request id: X)`. */
  encodeError(error: WireError, status: number, requestId: string): Uint8Array
  /** An error inside a stream, with whatever ends such a stream. */
  encodeStreamError(error: WireError, status: number, requestId: string): Uint8Array
  /** What ends a stream whose provider omitted its last event; empty if streams just end. */
  readonly terminal: Uint8Array
  openText(): DeltaText
}
