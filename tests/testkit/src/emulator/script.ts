/** A response as a list of steps, so that tests can read the exact wire content without a socket. */
export interface Script {
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
  /** Resets the connection; as the first step, before the head. */
  | 'cut'
  /** Leaves the connection open and silent. */
  | 'hang'
  /** Waits until the test lets it continue. */
  | 'hold'

export interface Exchange {
  readonly number: number
  /** Unix seconds. */
  readonly created: number
  /** Overrides the requested model's behaviour with that of this model. */
  readonly as?: string | undefined
  /** Unix milliseconds, with fractions. */
  readonly now: () => number
}

export const JSON_HEAD = { 'content-type': 'application/json' }
export const SSE_HEAD = { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' }

/** The text by which a question says after how many events its answer must wait. */
const HOLD_AFTER = /\(hold after (\d{1,4})\)/

/** The steps of an answer, with the wait that the question in this body asks for. */
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
