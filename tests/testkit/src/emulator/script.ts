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
  /** Waits until the test lets it go on. */
  | 'hold'

/** Facts of one exchange that the answer shows. */
export interface Exchange {
  /** Counts from 1. */
  readonly number: number
  /** Unix seconds. */
  readonly created: number
  /** Model that it behaves as instead of the requested one. */
  readonly as?: string | undefined
  /** Unix milliseconds, with fractions. */
  readonly now: () => number
}

export const JSON_HEAD = { 'content-type': 'application/json' }
export const SSE_HEAD = { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' }

/** How a question says after how many events its answer must wait. */
const HOLD_AFTER = /\(hold after (\d{1,4})\)/

/** The steps of an answer to this body, with a wait in them where its question asks for one. */
export function* holding(steps: Iterable<Step>, body: string): Generator<Step> {
  const [, after] = HOLD_AFTER.exec(body) ?? []
  let left = after === undefined ? -1 : Number(after)
  for (const step of steps) {
    const isEvent = typeof step !== 'string' && 'send' in step
    if (isEvent && left === 0) yield 'hold'
    if (isEvent) left -= 1
    yield step
  }
}
