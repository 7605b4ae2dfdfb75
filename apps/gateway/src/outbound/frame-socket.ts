import type { WebSocket } from 'ws'

/** Bytes that may wait for the other side before it counts as full … */
const FULL_BYTES = 1_048_576
/** … and until it has caught up. */
const EASY_BYTES = 262_144
/** A side that has not answered the last ping by the next one is gone. */
const PING_MS = 30_000
/** How long the other side may take to agree to the end. */
export const CLOSE_TIMEOUT_MS = 2_000
/** A frame's reason holds 123 bytes (RFC 6455, 5.5). */
const REASON_BYTES = 123

/** One end of a websocket, with back-pressure in both directions. Give it its callbacks before the next turn. */
export class FrameSocket {
  onFrame: ((frame: Buffer, isText: boolean) => void) | undefined
  /** Once, whoever closed; 1006 when it was cut. */
  onClose: ((code: number) => void) | undefined
  /** Called when a side that was full has caught up. */
  onDrain: (() => void) | undefined
  /** What is sent stays unread. */
  isFull = false
  isClosed = false

  private readonly socket: WebSocket
  private fullSince: number | undefined
  private pingedAt: number | undefined
  private isAnswered = true

  constructor(socket: WebSocket) {
    this.socket = socket
    socket.binaryType = 'nodebuffer'
    socket.on('message', (data: Buffer, isBinary) => this.onFrame?.(data, !isBinary))
    socket.on('pong', () => (this.isAnswered = true))
    // What went wrong is told by the close that follows.
    socket.on('error', () => {})
    socket.on('close', (code) => {
      this.isClosed = true
      this.onClose?.(code)
    })
  }

  /** Sends a text frame. False when the other side is behind: wait for `onDrain`. */
  send(frame: Uint8Array | string): boolean {
    if (this.socket.readyState !== this.socket.OPEN) return true
    this.socket.send(frame, { binary: false }, () => this.afterSend())
    if (this.socket.bufferedAmount > FULL_BYTES) this.isFull = true
    return !this.isFull
  }

  /** Holds the other side back; frames that are here already may still come. */
  pause(): void {
    this.socket.pause()
  }

  resume(): void {
    this.socket.resume()
  }

  /**
   * Call from time to time, with milliseconds that only go on: asks whether the other side is still there, and cuts one that has not
   * answered, or has left what is sent unread for longer than `stallMs`.
   */
  beat(now: number, stallMs: number): void {
    if (this.isFull) this.fullSince ??= now
    else this.fullSince = undefined
    if (this.fullSince !== undefined && now - this.fullSince > stallMs) return this.socket.terminate()
    this.pingedAt ??= now
    if (now - this.pingedAt < PING_MS || this.socket.isPaused || this.isClosed) return
    if (!this.isAnswered) return this.socket.terminate()
    this.pingedAt = now
    this.isAnswered = false
    this.socket.ping()
  }

  close(code: number, reason: string): void {
    // Nothing is read any more, but the answer to the close must be.
    this.onFrame = undefined
    this.socket.resume()
    this.socket.close(code, Buffer.from(reason).subarray(0, REASON_BYTES))
  }

  /** Without a word: for a side that takes nothing. */
  terminate(): void {
    this.socket.terminate()
  }

  private afterSend(): void {
    if (!this.isFull || this.socket.bufferedAmount > EASY_BYTES) return
    this.isFull = false
    this.fullSince = undefined
    this.onDrain?.()
  }
}
