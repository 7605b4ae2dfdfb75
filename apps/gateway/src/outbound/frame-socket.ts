import type { WebSocket } from 'ws'

/** Waiting bytes at which the other side counts as full. */
const FULL_BYTES = 1_048_576
/** Waiting bytes below which the other side has caught up. */
const EASY_BYTES = 262_144
/** A side that has not answered a ping by the next one counts as gone. */
const PING_MS = 30_000
/** Time for the other side to answer the close. */
export const CLOSE_TIMEOUT_MS = 2_000
/** Longest reason in a close frame (RFC 6455, 5.5). */
const REASON_BYTES = 123

/** One end of a websocket, with back-pressure in both directions. Set its callbacks before the next turn of the event loop. */
export class FrameSocket {
  onFrame: ((frame: Buffer, isText: boolean) => void) | undefined
  /** Called once, whichever side closed; 1006 when the connection was cut. */
  onClose: ((code: number) => void) | undefined
  /** Called when a full side has caught up. */
  onDrain: (() => void) | undefined
  isFull = false
  isClosed = false

  readonly #socket: WebSocket
  #fullSince: number | undefined
  #pingedAt: number | undefined
  #isAnswered = true

  constructor(socket: WebSocket) {
    this.#socket = socket
    socket.binaryType = 'nodebuffer'
    socket.on('message', (data: Buffer, isBinary) => this.onFrame?.(data, !isBinary))
    socket.on('pong', () => (this.#isAnswered = true))
    // The close that follows reports the error.
    socket.on('error', () => {})
    socket.on('close', (code) => {
      this.isClosed = true
      this.onClose?.(code)
    })
  }

  /** Sends a text frame. False when the other side is behind: wait for `onDrain`. */
  send(frame: Uint8Array | string): boolean {
    if (this.#socket.readyState !== this.#socket.OPEN) return true
    this.#socket.send(frame, { binary: false }, () => this.#afterSend())
    if (this.#socket.bufferedAmount > FULL_BYTES) this.isFull = true
    return !this.isFull
  }

  /** Holds the other side back; frames that have already arrived can still be delivered. */
  pause(): void {
    this.#socket.pause()
  }

  resume(): void {
    this.#socket.resume()
  }

  /**
   * Call at intervals, with milliseconds that never go back. Pings the other side, and cuts it off if it has not answered or has
   * left sent bytes unread for longer than `stallMs`.
   */
  beat(now: number, stallMs: number): void {
    if (this.isFull) this.#fullSince ??= now
    else this.#fullSince = undefined
    if (this.#fullSince !== undefined && now - this.#fullSince > stallMs) return this.#socket.terminate()
    this.#pingedAt ??= now
    if (now - this.#pingedAt < PING_MS || this.#socket.isPaused || this.isClosed) return
    if (!this.#isAnswered) return this.#socket.terminate()
    this.#pingedAt = now
    this.#isAnswered = false
    this.#socket.ping()
  }

  close(code: number, reason: string): void {
    // Only the answer to the close is read from now on.
    this.onFrame = undefined
    this.#socket.resume()
    this.#socket.close(code, Buffer.from(reason).subarray(0, REASON_BYTES))
  }

  /** Closes without a handshake, for a side that reads nothing. */
  terminate(): void {
    this.#socket.terminate()
  }

  #afterSend(): void {
    if (!this.isFull || this.#socket.bufferedAmount > EASY_BYTES) return
    this.isFull = false
    this.#fullSince = undefined
    this.onDrain?.()
  }
}
