import type { Socket } from 'node:net'
import { errors } from 'undici'

/** More than a server sends that announces once a second that it is still working. */
const MOST_INTERIM = 1_000
/** First bytes of every interim answer. */
const INTERIM = Buffer.from('HTTP/1.1 1')
const END_OF_HEAD = Buffer.from('\r\n\r\n')
const CR = 0x0d
const ZERO = 0x30
const TWO = 0x32

/**
 * Makes undici accept interim answers (RFC 9110, 15.2) as a client must, on one connection without pipelining. undici abandons a
 * connection after an unrequested `100 Continue`, so it gets `102` instead, which it skips. Its time limit for a head would also
 * restart with each interim answer; here, all of them share one limit, `firstByteMs` from the head of the request, and their number
 * is bounded.
 */
export function takeInterimAnswers(socket: Socket, firstByteMs: number): void {
  const heads = new AnswerHeads(socket, firstByteMs)
  const write = socket.write.bind(socket) as (...all: unknown[]) => boolean
  const read = socket.read.bind(socket) as (size?: number) => unknown
  socket.write = (...args: unknown[]) => {
    // undici writes heads as text and bodies as bytes.
    if (typeof args[0] === 'string') heads.expect()
    return write(...args)
  }
  socket.read = (size?: number): unknown => {
    const bytes = read(size)
    if (bytes instanceof Buffer) heads.take(bytes)
    return bytes
  }
  socket.once('close', () => heads.done())
}

/** Reads only the bytes before the head of the final answer. */
class AnswerHeads {
  readonly #socket: Socket
  readonly #firstByteMs: number
  #isExpected = false
  #requestedAt = 0
  #count = 0
  /** Matching bytes of `INTERIM`, then of the two digits after it. */
  #matched = 0
  /** Bytes received of an interim head's end. */
  #ending = 0
  #isContinue = false
  #timer: NodeJS.Timeout | undefined

  constructor(socket: Socket, firstByteMs: number) {
    this.#socket = socket
    this.#firstByteMs = firstByteMs
  }

  expect(): void {
    this.#isExpected = true
    this.#requestedAt = performance.now()
    this.#count = 0
    this.#matched = 0
  }

  take(bytes: Buffer): void {
    for (let at = 0; this.#isExpected && at < bytes.length; at++) this.#takeByte(bytes, at)
  }

  done(): void {
    this.#isExpected = false
    clearTimeout(this.#timer)
    this.#timer = undefined
  }

  #takeByte(bytes: Buffer, at: number): void {
    const byte = bytes[at]
    const digit = this.#matched - INTERIM.length
    if (digit < 0) {
      if (byte !== INTERIM[this.#matched]) this.done()
      else if (++this.#matched === INTERIM.length) this.#begin()
    } else if (digit < 2) {
      this.#isContinue = byte === ZERO && (digit === 0 || this.#isContinue)
      if (digit === 1 && this.#isContinue) bytes[at] = TWO
      this.#matched++
    } else {
      this.#ending = byte === END_OF_HEAD[this.#ending] ? this.#ending + 1 : Number(byte === CR)
      if (this.#ending === END_OF_HEAD.length) this.#matched = 0
    }
  }

  #begin(): void {
    this.#ending = 0
    this.#count++
    if (this.#count > MOST_INTERIM) this.#socket.destroy(new errors.SocketError('too many interim answers'))
    else if (this.#timer === undefined) {
      const left = this.#firstByteMs - (performance.now() - this.#requestedAt)
      this.#timer = setTimeout(() => this.#socket.destroy(new errors.HeadersTimeoutError()), Math.max(0, left))
    }
  }
}
