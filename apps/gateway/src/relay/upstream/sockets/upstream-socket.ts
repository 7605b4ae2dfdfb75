import { EVENT_LIMIT } from '@sluice/dialects/framing/sse'
import { readServerFrame } from '@sluice/dialects/openai-responses/frames/server-frame'
import type { AddressGuard } from '../../../outbound/address-guard.ts'
import type { FrameSocket } from '../../../outbound/frame-socket.ts'
import type { StageTimeouts } from '../../../outbound/guarded-agent.ts'
import { openGuardedSocket, type SocketRequest } from '../../../outbound/guarded-socket.ts'
import type { Beating } from '../../client/pulse.ts'
import { FramedCall, type Line } from './framed-call.ts'

export interface UpstreamSocketDeps {
  readonly guard: AddressGuard
  readonly times: Pick<StageTimeouts, 'firstByteTimeoutMs' | 'idleTimeoutMs'>
  /** Milliseconds that only increase, on the clock of the beats. */
  readonly steady: () => number
}

/** How long an upgrade may take before the request is sent by POST. */
const HANDSHAKE_MS = 10_000
/** A websocket is closed after this long without a request. */
export const IDLE_MS = 300_000
/** Providers close a websocket after 60 minutes; a response that begins before this may use the remaining time. */
export const AGE_MS = 50 * 60_000
/** RFC 6455, 7.4.1. */
const DONE = 1000

/** A provider's websocket, opened for one websocket of a client by its first request. Carries one response at a time. */
export class UpstreamSocket implements Line, Beating {
  readonly address: SocketRequest
  /** The response that the provider can continue from with only new items; empty for none. */
  lastResponse = ''
  /** The websocket does not accept further requests. */
  isOver = false
  /** The websocket never produced an answer: its upgrade was refused, or it failed with its first request. */
  isUnfit = false

  readonly #deps: UpstreamSocketDeps
  readonly #onOver: () => void
  readonly #opening = new AbortController()
  readonly #begun: number
  #usedAt: number
  #hasAnswered = false
  #hasLeft = false
  #socket: FrameSocket | undefined
  #call: FramedCall | undefined

  constructor(deps: UpstreamSocketDeps, address: SocketRequest, onOver: () => void) {
    this.#deps = deps
    this.address = address
    this.#onOver = onOver
    this.#begun = deps.steady()
    this.#usedAt = this.#begun
  }

  get isFree(): boolean {
    return !this.isOver && !this.isBusy && this.#deps.steady() - this.#begun <= AGE_MS
  }

  get isBusy(): boolean {
    return this.#call !== undefined
  }

  /** The websocket must be free. The call begins when it is dispatched. */
  ask(frame: Buffer): FramedCall {
    const call = new FramedCall(this, frame, this.#deps.steady)
    this.#call = call
    return call
  }

  begin(call: FramedCall): void {
    if (this.#socket !== undefined) return void this.#socket.send(call.takeFrame())
    const limits = {
      maxFrame: EVENT_LIMIT,
      handshakeTimeoutMs: Math.min(HANDSHAKE_MS, this.#deps.times.firstByteTimeoutMs),
    }
    void openGuardedSocket(this.#deps.guard, this.address, limits, this.#opening.signal).then((opened) => {
      if ('cause' in opened) return this.#closed()
      if (this.isOver) return opened.terminate()
      this.#socket = opened
      opened.onFrame = (frame, isText) => this.#hear(frame, isText)
      opened.onClose = () => this.#closed()
      if (!call.paused) opened.resume()
      opened.send(call.takeFrame())
    })
  }

  pause(): void {
    this.#socket?.pause()
  }

  resume(): void {
    this.#socket?.resume()
  }

  cut(): void {
    this.#end()
    this.#opening.abort()
    this.#socket?.terminate()
  }

  /** No requests will follow: closes once the running response has ended. */
  leave(): void {
    this.#hasLeft = true
    if (this.#call === undefined) this.#close()
  }

  beat(now: number): void {
    if (this.isOver) return
    const call = this.#call
    if (call === undefined) {
      this.#socket?.beat(now, this.#deps.times.firstByteTimeoutMs)
      if (now - this.#usedAt > IDLE_MS || now - this.#begun > AGE_MS) this.#close()
    } else if (call.endIfSilent(now, this.#deps.times)) this.cut()
  }

  #hear(frame: Buffer, isText: boolean): void {
    const call = this.#call
    const read = isText ? readServerFrame(frame) : FAULT
    // Between two responses a provider only sends a message to announce that it is closing the connection.
    if (call === undefined || read.kind === 'fault') return this.#break()
    if (read.kind === 'last') {
      this.#call = undefined
      this.#hasAnswered = true
      this.lastResponse = read.id
      this.#usedAt = this.#deps.steady()
      this.#socket?.resume()
    }
    call.hear(read)
    // The provider no longer has the data that the failed request referred to, if the websocket continues at all.
    if (read.kind === 'error' || (read.kind === 'last' && this.#hasLeft)) this.#close()
  }

  #break(): void {
    this.#socket?.terminate()
    this.#closed()
  }

  #closed(): void {
    if (this.isOver) return
    const call = this.#call
    this.isUnfit = !this.#hasAnswered && call?.hasHeard === false
    this.#end()
    call?.broke()
  }

  #close(): void {
    this.#end()
    this.#opening.abort()
    this.#socket?.close(DONE, '')
  }

  #end(): void {
    if (this.isOver) return
    this.isOver = true
    this.#call = undefined
    this.#onOver()
  }
}

const FAULT = { kind: 'fault' } as const
