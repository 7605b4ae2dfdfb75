/** A response as a list of steps, so that what is sent can be read and tested without a socket. */
export interface Script {
  /** Milliseconds before the headers. */
  readonly delayMs: number
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly steps: Iterable<Step>
}

export type Step =
  | { readonly send: string | Uint8Array }
  | { readonly waitMs: number }
  /** Sends the headers before there is a body. */
  | 'head'
  /** Resets the connection; as first step, before the headers. */
  | 'cut'
  /** Leaves the connection open and silent. */
  | 'hang'
  /** Waits until the test releases it. */
  | 'hold'

/** Facts about one exchange that appear in the answer. */
export interface Exchange {
  /** Counts from 1. */
  readonly number: number
  /** Unix seconds. */
  readonly created: number
  /** Model whose behaviour replaces that of the requested one. */
  readonly as?: string | undefined
  /** Unix milliseconds, with fractions. */
  readonly now: () => number
}

export const JSON_HEAD = { 'content-type': 'application/json' }
export const SSE_HEAD = { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' }

/** The text by which a question says after how many events its answer must wait. */
const HOLD_AFTER = /\(hold after (\d{1,4})\)/

/** The steps of an answer to this body, with a wait if its question asks for one. */
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
