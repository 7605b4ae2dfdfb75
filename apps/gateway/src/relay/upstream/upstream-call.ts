import type { IncomingHttpHeaders } from 'node:http'
import type { Refusal } from '@sluice/contract/errors'
import type { Loss } from '@sluice/dialects/canon/losses'
import type { AnswerStream } from '@sluice/dialects/framing/answer-stream'
import { holdsOnlyComments } from '@sluice/dialects/framing/event-bytes'
import type { SseRelayEnd } from '@sluice/dialects/framing/sse-relay'
import type { SignedCredentials, TokenCredentials } from '@sluice/providers/credentials/credentials'
import type { FailingKind } from '@sluice/providers/failures/fault-of'
import type { AccountWindow } from '@sluice/routing/account-window'
import type { Dispatcher } from 'undici'
import { AddressRefused } from '../../outbound/address-guard.ts'
import { GatheredBytes } from '../../outbound/gathered-bytes.ts'
import type { AnswerReader } from '../calls/answer-reader.ts'
import type { AnswerCall, EventSink } from '../stages/answered.ts'
import { accountWindows } from './account-windows.ts'
import { beginsEvents, beginsObject, withoutByteOrderMark } from './answer-form.ts'
import type { Batch } from './ask-in-batches.ts'
import { DecodedAnswer, NotDecodable } from './decoded-answer.ts'
import { clocksDiffer, waitOf } from './reply-times.ts'

export type CallStart =
  /** Events are waiting for a sink. */
  | { readonly kind: 'stream' }
  /** A whole body with a 2xx status. */
  | { readonly kind: 'plain'; readonly body: Buffer }
  /** Any other status, with the start of its body. */
  | { readonly kind: 'status'; readonly body: Buffer }
  | { readonly kind: 'failed'; readonly failure: CallFailure }

/**
 * unreachable → no connection · forbidden → the guard refused its address · closed → closed before a head arrived · timeout → no
 * byte within `stage`'s time · broken → ended early · invalid → not what was requested · reported → an error as the first event of
 * a stream · cancelled → abandoned by us · no_files → this process cannot open more connections · no_memory → there is no memory
 * for the answer
 */
export type CallFailure =
  | { readonly cause: 'unreachable' | 'forbidden' | 'closed' | 'cancelled' | 'no_files' }
  | { readonly cause: 'reported' }
  | { readonly cause: 'timeout'; readonly stage: 'connect' | 'first_byte' | 'idle' }
  | { readonly cause: 'broken' | 'invalid'; readonly reason: string }
  | { readonly cause: 'no_memory'; readonly refusal: Refusal }

export interface CallRequest {
  readonly method: 'POST' | 'GET' | 'DELETE'
  readonly origin: string
  readonly path: string
  readonly headers: readonly string[]
  /** Must be added to the headers of each request; undefined if the headers are complete. */
  readonly credentials: SignedCredentials | TokenCredentials | undefined
  /** Empty for `GET`. */
  readonly body: Buffer
  readonly stream: boolean
  readonly reader: AnswerReader
  /** Determines how its failures are read. */
  readonly kind: FailingKind
  /** Parts of the request that the provider does not receive unchanged. */
  readonly losses: readonly Loss[]
  /** Requests to send instead of this one, if its provider accepts less in one call. */
  readonly batches?: readonly Batch[]
}

export interface AnswerLimits {
  readonly bytes: number
  /** Reserves the total memory used so far. */
  readonly hold: (bytes: number) => Refusal | undefined
}

/** The common interface of undici and a provider's websocket. */
export interface CallDispatcher {
  dispatch(
    sent: Pick<CallRequest, 'origin' | 'path' | 'method'> & { headers: string[]; body: Buffer | null },
    handler: Dispatcher.DispatchHandler,
  ): unknown
}

/**
 * A garbage collection follows each time this many body bytes have arrived. V8 counts only the small objects that refer to the
 * buffers, and would keep up to a hundred megabytes of garbage.
 */
const COLLECTED_EACH = 8_388_608
const STATUS_BODY_LIMIT = 65_536
/** Content types that rule out the requested stream. Events arrive under many types, even as plain text. */
const NO_EVENTS = /json|html|^audio\//i
/** Audio can begin with any bytes. */
const SOUND = /^audio\//i
/** Bytes of events that may wait for their sink before the provider is held back. */
const EARLY_LIMIT = 65_536

/**
 * One call to a provider: an undici handler without promises or closures per chunk. Bodies of plain answers are collected, so that
 * no part of a broken one is delivered; streams go to a sink event by event.
 */
export class UpstreamCall implements AnswerCall, Dispatcher.DispatchHandler {
  status = 0
  /** Milliseconds that a failing answer asks callers to wait. */
  waitMs: number | undefined
  /** A failing answer was dated far from our clock; see `reply-times.ts`. */
  clocksDiffer = false
  windows: readonly AccountWindow[] = []
  /** Empty if there is none. */
  contentType = ''
  firstUpstream = 0
  completed = 0
  readonly stream: AnswerStream | undefined
  readonly transport: 'websocket' | undefined

  /** Dropped once it is sent, because a stream can last for minutes. */
  #request: CallRequest | undefined
  readonly #limits: AnswerLimits
  readonly #now: () => number
  #controller: Dispatcher.DispatchController | undefined
  #mode: 'stream' | 'plain' | 'status' | undefined
  #hasBegun = false
  #body: GatheredBytes | undefined
  /** Length of the body, as announced in the headers. */
  #announced = 0
  #size = 0
  #early: Uint8Array[] = []
  /** Part of an answer is in `early`, or was sent to the sink. */
  #hasAnswer = false
  #sink: EventSink | undefined
  #ended: SseRelayEnd | undefined
  #isOver = false
  #resolveStart: ((start: CallStart) => void) | undefined

  constructor(request: CallRequest, limits: AnswerLimits, now: () => number, transport?: 'websocket') {
    this.#request = request
    this.#limits = limits
    this.#now = now
    this.stream = request.stream ? request.reader.openStream() : undefined
    this.transport = transport
  }

  /** Sends the request. Resolves once there is something to deliver or the call has failed; never rejects. */
  start(dispatcher: CallDispatcher): Promise<CallStart> {
    const request = this.#request
    if (request === undefined) throw new Error('a call is started once')
    this.#request = undefined
    const { origin, path, method, body, headers } = request
    return new Promise((resolve) => {
      this.#resolveStart = resolve
      // undici reads the flat list without changing it.
      const sent = { origin, path, method, headers: headers as string[], body: method === 'GET' ? null : body }
      dispatcher.dispatch(sent, new DecodedAnswer(this))
    })
  }

  attach(sink: EventSink): void {
    this.#sink = sink
    const early = this.#early
    this.#early = []
    if (early.length > 0) sink.onEvents(early)
    if (this.#ended !== undefined) sink.onEnd(this.#ended)
    else this.resume()
  }

  pause(): void {
    if (!this.#isOver) this.#controller?.pause()
  }

  resume(): void {
    if (!this.#isOver) this.#controller?.resume()
  }

  cancel(reason: string): void {
    if (this.#isOver) return
    this.#finish({ cause: 'cancelled' }, reason)
    this.#controller?.abort(new Error(reason))
  }

  /** The client has left: abandons the call, unless its sink keeps reading. */
  abandon(reason: string): void {
    if (!this.#isOver && this.#sink?.onAbandoned() !== true) this.cancel(reason)
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller
    if (this.#isOver) controller.abort(new Error('cancelled while waiting for a connection'))
  }

  onResponseStart(_: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    if (status < 200 || this.#isOver) return
    this.status = status
    this.firstUpstream = this.#now()
    this.windows = accountWindows(headers, this.firstUpstream)
    if (status >= 300) {
      this.waitMs = waitOf(headers)
      this.clocksDiffer = clocksDiffer(headers.date, this.firstUpstream)
    }
    const type = headers['content-type'] ?? ''
    this.contentType = type
    this.#announced = Math.min(Number(headers['content-length'] ?? 0) || 0, this.#limits.bytes)
    // Set only for a coding that is not decoded here.
    const encoding = headers['content-encoding']
    if (status >= 300) this.#mode = 'status'
    else if (encoding !== undefined)
      this.#fail({ cause: 'invalid', reason: `it is encoded as ${encoding.slice(0, 40)}` })
    else this.#mode = this.stream !== undefined && !NO_EVENTS.test(type) ? 'stream' : 'plain'
  }

  onResponseData(_: Dispatcher.DispatchController, arrived: Buffer): void {
    if (this.#isOver) return
    const chunk = this.#hasBegun ? arrived : this.#begin(arrived)
    if (this.#mode === 'stream' && this.stream !== undefined) this.#takeEvents(this.stream, chunk)
    else this.#takeBody(chunk)
  }

  onResponseEnd(): void {
    if (this.#isOver) return
    if (this.#mode === 'stream' && this.stream !== undefined) this.#endStream(this.stream, '')
    else this.#endBody()
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    if (this.#isOver) return
    const failure = failureOf(error, this.status !== 0)
    this.#finish(failure, describe(failure))
  }

  /**
   * Reads the body by its content, whatever its type. Servers that announce events before they know that they cannot answer send
   * their error, or a whole reply, under that type, and others send events as JSON. No line of an event begins with a brace, and an
   * AWS message begins with a zero. Returns the bytes that belong to the body.
   */
  #begin(chunk: Buffer): Buffer {
    this.#hasBegun = true
    const bytes = SOUND.test(this.contentType) ? chunk : withoutByteOrderMark(chunk)
    if (this.#mode === 'stream' && beginsObject(bytes)) {
      this.#mode = 'plain'
      this.contentType = 'application/json'
    } else if (this.#mode === 'plain' && this.stream !== undefined && beginsEvents(bytes)) this.#mode = 'stream'
    return bytes
  }

  #takeEvents(stream: AnswerStream, chunk: Buffer): void {
    const pieces = stream.push(chunk)
    if (pieces.length > 0) this.#deliver(pieces)
    if (stream.state === 'open') return
    this.#endStream(stream, '')
    // After the terminal event the connection is left alone, so that it can be used again.
    if (stream.state === 'done') this.#controller?.resume()
    else this.#controller?.abort(new Error('the stream is over'))
  }

  #deliver(pieces: readonly Uint8Array[]): void {
    if (this.#sink !== undefined) {
      this.#sink.onEvents(pieces)
      return
    }
    for (const piece of pieces) {
      this.#early.push(piece)
      this.#size += piece.length
    }
    // A provider that has only sent keep-alives has delivered nothing: if it fails now, another can be tried.
    const isFull = this.#size > EARLY_LIMIT
    this.#hasAnswer ||= isFull || !pieces.every(holdsOnlyComments)
    if (isFull) this.#controller?.pause()
    if (this.#hasAnswer) this.#resolve({ kind: 'stream' })
  }

  /** `reason`: why the connection ended early; empty if it did not. `failure`: what failed if nothing arrived at all. */
  #endStream(stream: AnswerStream, reason: string, failure?: CallFailure): void {
    this.#isOver = true
    this.completed = this.#now()
    const end = stream.end()
    if (end.forward.length > 0) this.#deliver(end.forward)
    const ended = end.outcome === 'broken' && reason !== '' ? { ...end, reason } : end
    this.#ended = ended
    this.#sink?.onEnd(ended)
    if (this.#hasAnswer || ended.outcome === 'complete') this.#resolve({ kind: 'stream' })
    else if (stream.error !== undefined) this.#resolve({ kind: 'failed', failure: { cause: 'reported' } })
    else {
      const silent = failure?.cause === 'timeout' ? failure : undefined
      this.#resolve({ kind: 'failed', failure: silent ?? { cause: 'broken', reason: ended.reason } })
    }
  }

  #takeBody(chunk: Buffer): void {
    const body = (this.#body ??= new GatheredBytes(this.#mode === 'plain' ? this.#announced : 0))
    const collected = Math.floor(body.size / COLLECTED_EACH)
    body.add(chunk)
    if (Math.floor(body.size / COLLECTED_EACH) > collected) globalThis.gc?.({ type: 'minor', execution: 'sync' })
    if (this.#mode === 'status' && body.size > STATUS_BODY_LIMIT) {
      this.#endBody()
      this.#controller?.abort(new Error('the rest of the error is not needed'))
    } else if (body.size > this.#limits.bytes) {
      this.#fail({ cause: 'invalid', reason: `it exceeds ${this.#limits.bytes} bytes` })
    } else {
      const refusal = this.#limits.hold(body.held)
      if (refusal === undefined) return
      // Released at once, so that if several answers do not fit in memory together, some still succeed.
      this.#body = undefined
      this.#limits.hold(0)
      this.#fail({ cause: 'no_memory', refusal })
    }
  }

  #endBody(): void {
    this.#isOver = true
    this.completed = this.#now()
    this.#resolve({ kind: this.#mode === 'plain' ? 'plain' : 'status', body: this.#body?.whole() ?? NOTHING })
  }

  #fail(failure: CallFailure): void {
    this.#finish(failure, describe(failure))
    this.#controller?.abort(new Error(describe(failure)))
  }

  #finish(failure: CallFailure, reason: string): void {
    if (this.#mode === 'stream' && this.stream !== undefined) {
      this.#endStream(this.stream, reason, failure)
      return
    }
    this.#isOver = true
    this.completed = this.#now()
    // A status has arrived: that is the answer, even when its body broke off.
    if (this.#mode === 'status' && failure.cause !== 'cancelled') this.#endBody()
    else this.#resolve({ kind: 'failed', failure })
  }

  #resolve(start: CallStart): void {
    this.#resolveStart?.(start)
    this.#resolveStart = undefined
  }
}

const NOTHING = Buffer.alloc(0)

function failureOf(error: Error, headCame: boolean): CallFailure {
  if (error instanceof AddressRefused) return { cause: 'forbidden' }
  if (error instanceof NotDecodable) return { cause: 'invalid', reason: error.message }
  const code = 'code' in error ? error.code : undefined
  switch (code) {
    case 'UND_ERR_CONNECT_TIMEOUT':
      return { cause: 'timeout', stage: 'connect' }
    case 'UND_ERR_HEADERS_TIMEOUT':
      return { cause: 'timeout', stage: 'first_byte' }
    case 'UND_ERR_BODY_TIMEOUT':
      return { cause: 'timeout', stage: 'idle' }
    case 'UND_ERR_HEADERS_OVERFLOW':
      return { cause: 'invalid', reason: 'its headers are too large' }
    case 'UND_ERR_SOCKET':
    case 'ECONNRESET':
    case 'EPIPE':
      return headCame ? { cause: 'broken', reason: 'the connection was closed' } : { cause: 'closed' }
    case 'EMFILE':
    case 'ENFILE':
      return { cause: 'no_files' }
    case 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH':
      return { cause: 'broken', reason: 'the connection was closed' }
    default:
      if (error.name === 'HTTPParserError') return { cause: 'invalid', reason: 'it is not HTTP' }
      return headCame ? { cause: 'broken', reason: 'the connection failed' } : { cause: 'unreachable' }
  }
}

function describe(failure: CallFailure): string {
  switch (failure.cause) {
    case 'timeout':
      return 'it stopped sending data'
    case 'broken':
    case 'invalid':
      return failure.reason
    default:
      return failure.cause
  }
}
