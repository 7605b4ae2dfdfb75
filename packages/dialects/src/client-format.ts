import type { DeltaText } from './canon/delta-text.ts'
import type { WireError } from './canon/upstream-error.ts'

/**
 * How the gateway itself speaks to clients of one dialect: its errors, its keep-alive, and which parts of answers it understands.
 */
export interface ClientFormat {
  /** Content-Type of a stream. */
  readonly streamType: string
  /** Sent during a long silence; clients skip it. Empty if a dialect has no such message. */
  readonly ping: Uint8Array
  /** An error as a whole body. `status` is the reply's; the message ends with ` (request id: X)`. */
  encodeError(error: WireError, status: number, requestId: string): Uint8Array
  /** The same inside a stream that has begun, with whatever ends such a stream. */
  encodeStreamError(error: WireError, status: number, requestId: string): Uint8Array
  /** What ends a stream whose provider omitted its last event; empty if streams just end. */
  readonly terminal: Uint8Array
  /** Collects the text of a stream from the bytes sent to the client. */
  openText(): DeltaText
}
