import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import type { Refusal } from '@sluice/contract/errors'
import type { BodyResult } from './read-body.ts'
import type { Upgrade } from './upgrade.ts'

/** One request on its socket, as the relay gets it: stage 1 of twelve. */
export interface Accepted {
  /** UUIDv7 as 32 hex characters; also in the reply's `X-Request-Id`, the log row and the ledger. */
  readonly id: string
  /** Unix milliseconds when the whole head had arrived. */
  readonly received: number
  readonly method: string
  /** Canonical path without query (`/v1/chat/completions`). */
  readonly path: string
  readonly query: string
  readonly headers: IncomingHttpHeaders
  /** Address of the caller, from trusted proxies only. */
  readonly client: string
  /** Aborts when the client leaves, when a stopping gateway gives up waiting, or by `interrupt`. */
  readonly signal: AbortSignal
  readonly reply: ServerResponse
  /** Undefined unless the request wants to become a websocket. */
  readonly upgrade: Upgrade | undefined
  /**
   * Flat list of names and values that every reply carries: request ids, CORS where a browser needs it, and what is added before
   * the head is sent: the caller's limits.
   */
  readonly replyHeaders: string[]
  /**
   * Reads the body; call at most once. It counts against the share of `owner`, so the owner must be known first (class S43). Its
   * memory is released when the reply is closed.
   */
  readBody(owner: { readonly userId: number }): Promise<BodyResult>
  /** Reserves memory for another body made from the one that was read; `bytes` is its length. Released in the same way. */
  claimBody(bytes: number): Refusal | undefined
  /** Ends the request as a stopping gateway does: `signal` aborts with this reason, and what `atStop` got is called. */
  interrupt(reason: Error): void
  /** Calls `task` when the request has ended, however it ends, to give back what was taken for it. Must not throw. */
  atEnd(task: () => void): void
  /** Calls `task` when a stopping gateway gives up waiting, also for a request whose client has left. Must not throw. */
  atStop(task: () => void): void
}
