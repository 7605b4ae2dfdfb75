import type { ServerFrame } from '@sluice/dialects/openai-responses/frames/server-frame'
import { type Dispatcher, errors } from 'undici'
import type { CallDispatcher } from '../upstream-call.ts'

/** The parts of a websocket that a call needs. */
export interface Line {
  /** Sends the frame of the call, as soon as the websocket is open. */
  begin(call: FramedCall): void
  pause(): void
  resume(): void
  /** Closes the websocket at once: nothing else stops a response early. */
  cut(): void
}

/** Errors with which a provider reports that its websocket cannot accept a request that a POST might. */
const OF_THE_SOCKET = new Set(['previous_response_not_found', 'websocket_connection_limit_reached'])
const EVENTS = { 'content-type': 'text/event-stream' }
const JSON_TYPE = { 'content-type': 'application/json' }

/**
 * One request on a provider's websocket, in the role that undici has for a POST. Its frames arrive as stream events; an error in
 * place of an answer arrives as an answer with that status.
 */
export class FramedCall implements CallDispatcher, Dispatcher.DispatchController {
  /** No part of an answer has arrived or will arrive, but a POST may get one. */
  isLost = false
  /** The error code that caused the loss; empty for none. */
  lostFor = ''
  isOver = false
  hasHeard = false
  aborted = false
  paused = false
  reason: Error | null = null
  rawHeaders: null = null
  /** When something was last sent or received, or the provider was resumed, by the line's clock. */
  movedAt = 0

  #frame: Buffer | undefined
  readonly #line: Line
  readonly #steady: () => number
  #handler: Dispatcher.DispatchHandler = {}

  constructor(line: Line, frame: Buffer, steady: () => number) {
    this.#line = line
    this.#frame = frame
    this.#steady = steady
  }

  dispatch(_: object, handler: Dispatcher.DispatchHandler): void {
    this.#handler = handler
    this.movedAt = this.#steady()
    handler.onRequestStart?.(this, undefined)
    if (!this.isOver) this.#line.begin(this)
  }

  /** Returns the frame once and drops it, because a response can last for minutes. */
  takeFrame(): Buffer {
    const frame = this.#frame
    if (frame === undefined) throw new Error('a frame is sent once')
    this.#frame = undefined
    return frame
  }

  pause(): void {
    if (this.isOver) return
    this.paused = true
    this.#line.pause()
  }

  resume(): void {
    if (this.isOver || !this.paused) return
    this.paused = false
    this.movedAt = this.#steady()
    this.#line.resume()
  }

  abort(reason: Error): void {
    if (this.isOver) return
    this.aborted = true
    this.reason = reason
    this.isOver = true
    this.#line.cut()
  }

  hear(read: Exclude<ServerFrame, { readonly kind: 'fault' }>): void {
    if (this.isOver) return
    this.movedAt = this.#steady()
    const handler = this.#handler
    if (read.kind === 'error' && !this.hasHeard) {
      if (OF_THE_SOCKET.has(read.code)) return this.#lose(read.code)
      if (read.status > 0) {
        this.isOver = true
        handler.onResponseStart?.(this, read.status, { ...read.headers, ...JSON_TYPE })
        handler.onResponseData?.(this, Buffer.from(read.body))
        handler.onResponseEnd?.(this, {})
        return
      }
    }
    if (!this.hasHeard) handler.onResponseStart?.(this, OK, EVENTS)
    this.hasHeard = true
    const isLast = read.kind !== 'event'
    if (isLast) this.isOver = true
    const { buffer, byteOffset, length } = read.event
    handler.onResponseData?.(this, Buffer.from(buffer, byteOffset, length))
    if (isLast) handler.onResponseEnd?.(this, {})
  }

  broke(): void {
    if (this.isOver) return
    if (!this.hasHeard) return this.#lose('')
    this.#fail(new errors.SocketError('the websocket was closed'))
  }

  /** Ends the call if nothing has arrived for too long. True when it did. */
  endIfSilent(now: number, times: { readonly firstByteTimeoutMs: number; readonly idleTimeoutMs: number }): boolean {
    const limit = this.hasHeard ? times.idleTimeoutMs : times.firstByteTimeoutMs
    if (this.isOver || this.paused || now - this.movedAt <= limit) return false
    this.#fail(this.hasHeard ? new errors.BodyTimeoutError() : new errors.HeadersTimeoutError())
    return true
  }

  #lose(code: string): void {
    this.isLost = true
    this.lostFor = code
    this.#fail(new errors.SocketError('the websocket did not accept the request'))
  }

  #fail(error: Error): void {
    this.isOver = true
    this.#handler.onResponseError?.(this, error)
  }
}

const OK = 200
