/** A response as a list of steps, so that what goes over the wire can be read and tested without a socket. */
export interface Script {
  /** Milliseconds before the head. */
  readonly delayMs: number
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly steps: Iterable<Step>
}

export type Step =
  | { readonly send: string | Uint8Array }
  | { readonly waitMs: number }
  /** Sends the head before there is a body. */
  | 'head'
  /** Resets the connection; as first step, before the head. */
  | 'cut'
  /** Leaves the connection open and silent. */
  | 'hang'

/** Facts of one exchange that the answer shows. */
export interface Exchange {
  /** Counts from 1. */
  readonly number: number
  /** Unix seconds. */
  readonly created: number
  /** Model that it behaves as instead of the one that was asked for. */
  readonly as?: string | undefined
  /** Unix milliseconds, with fractions. */
  readonly now: () => number
}

export const JSON_HEAD = { 'content-type': 'application/json' }
export const SSE_HEAD = { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' }
