import { ERRORS, type Refusal } from '@sluice/contract/errors'
import { encodeErrorFrame, onStream } from '@sluice/dialects/openai-responses/frames/event-frames'
import { type Accepted, type Connection, Exchange, type ExchangeHead } from '../../edge/exchange.ts'
import type { FrameGateOptions } from '../../edge/frame-gate.ts'
import type { MemoryClaim, Upgrade } from '../../edge/upgrade.ts'
import type { FrameSocket } from '../../outbound/frame-socket.ts'
import type { Leave } from '../../process/live-set.ts'
import type { Log } from '../../process/logger.ts'
import type { StreamTimes } from '../client/client-stream.ts'
import type { Beating, Pulse } from '../client/pulse.ts'
import { refuse, wireOfRefusal } from '../client/refuse.ts'
import type { RecordRefusal } from '../record/record.ts'
import type { ConnectionSockets, UpstreamSockets } from '../upstream/sockets/upstream-sockets.ts'
import { type ClientFrame, type CreateFrame, readClientFrame } from './client-frame.ts'
import { type Before, ConnectionMemory, recalled } from './connection-memory.ts'
import { FrameReply } from './frame-reply.ts'

export interface ResponsesSocketDeps {
  readonly recordRefusal: RecordRefusal
  readonly log: Log
  readonly pulse: Pulse
  readonly times: Pick<StreamTimes, 'clientStallMs'>
  readonly upstreamSockets: Pick<UpstreamSockets, 'open'>
  /** Unix milliseconds. */
  readonly now: () => number
  /** 32 hex characters. */
  readonly newId: () => string
}

/** Answers one request through all stages; resolves when it is charged and its reply has ended. A rejection is a bug. */
export type AnswerFramed = (accepted: Accepted, isWarmUp: boolean) => Promise<void>

/** Maximum concurrent responses on one connection, each on its own stream. */
const STREAMS = 8
/** The same limit as OpenAI's. */
const CONNECTION_MINUTES = 60
/** RFC 6455, 7.4.1. */
const CLOSE = { done: 1000, leaving: 1001, unsupported: 1003, tooLarge: 1009 } as const

interface Running {
  readonly exchange: Exchange<FrameReply>
  readonly claim: MemoryClaim
  readonly answer: MemoryClaim
  readonly before: Before
  readonly previous: string | undefined
  hasAnswered: boolean
}

/** A client's websocket for responses. Requests share only the connection and its memory; each has its own hold and charge. */
export class ResponsesSocket implements Beating, FrameGateOptions {
  readonly #deps: ResponsesSocketDeps
  readonly #answer: AnswerFramed
  readonly #handshake: Accepted
  readonly #upgrade: Upgrade
  readonly #owner: { readonly userId: number }
  readonly #memory: ConnectionMemory
  readonly #headers: Accepted['headers']
  readonly #begun: number
  /** Running responses by the name of their stream; '' for the stream without a name. */
  readonly #running = new Map<string, Running>()
  /** Bytes of finished answers that the client has not read yet. */
  #unread: MemoryClaim[] = []
  #arriving: MemoryClaim
  #client: FrameSocket | undefined
  #upstreams: ConnectionSockets | undefined
  #isStopping = false
  #leavePulse: Leave = () => {}
  #finish: () => void = () => {}

  constructor(
    deps: ResponsesSocketDeps,
    handshake: Accepted,
    upgrade: Upgrade,
    owner: { readonly userId: number },
    answer: AnswerFramed,
  ) {
    this.#deps = deps
    this.#answer = answer
    this.#handshake = handshake
    this.#upgrade = upgrade
    this.#owner = { userId: owner.userId }
    const { requests } = upgrade
    this.#memory = new ConnectionMemory(requests.claimMemory(this.#owner))
    this.#arriving = requests.claimBody(this.#owner)
    const { 'content-type': _type, 'content-encoding': _encoding, ...headers } = handshake.headers
    this.#headers = headers
    this.#begun = deps.pulse.now()
  }

  /** Resolves when the connection is closed and everything on it is charged. */
  run(client: FrameSocket): Promise<void> {
    this.#client = client
    this.#upstreams = this.#deps.upstreamSockets.open(this.#handshake.id)
    client.onFrame = (frame, isText) => this.#take(client, frame, isText)
    client.onClose = () => this.#left()
    client.onDrain = () => {
      this.#forgetUnread()
      for (const { exchange } of this.#running.values()) exchange.reply.emit('drain')
      client.resume()
    }
    const { signal } = this.#handshake
    this.#handshake.atStop(() => {
      for (const { exchange } of this.#running.values()) exchange.interrupt(signal.reason as Error)
    })
    signal.addEventListener('abort', () => this.#stop(), { once: true })
    this.#leavePulse = this.#deps.pulse.add(this)
    return new Promise((resolve) => {
      this.#finish = resolve
      if (signal.aborted) this.#stop()
    })
  }

  admits = (bytes: number): boolean => {
    const limit = this.#upgrade.requests.bodyLimit
    const refusal: Refusal | undefined =
      bytes > limit ? { code: 'body_too_large', params: { limit } } : this.#arriving.hold(bytes)
    if (refusal === undefined) return true
    this.#arriving.hold(0)
    this.#tell(refusal, undefined)
    return false
  }

  onBroken = (): void => this.#client?.close(CLOSE.tooLarge, 'body_too_large')

  beat(now: number): void {
    this.#client?.beat(now, this.#deps.times.clientStallMs)
    this.#upstreams?.beat(now)
    this.#closeIfDue()
  }

  #take(client: FrameSocket, frame: Buffer, isText: boolean): void {
    const claim = this.#arriving
    this.#arriving = this.#upgrade.requests.claimBody(this.#owner)
    const read: ClientFrame = isText
      ? readClientFrame(frame)
      : { kind: 'fault', streamId: undefined, refusal: mistake('body', 'frames must be text') }
    const refusal = read.kind === 'create' ? this.#begin(client, read, claim) : undefined
    if (read.kind === 'fault') this.#tell(read.refusal, read.streamId)
    else if (read.kind === 'create' && refusal !== undefined) this.#tell(refusal, read.streamId)
    if (read.kind !== 'create' || refusal !== undefined) claim.release()
    // Unread errors must not pile up.
    if (client.isFull) client.pause()
    this.#closeIfDue()
  }

  #begin(client: FrameSocket, frame: CreateFrame, claim: MemoryClaim): Refusal | undefined {
    const { streamId, items } = frame
    const stream = streamId ?? ''
    if (this.#running.has(stream)) {
      const named = streamId === undefined ? 'this connection' : `the stream "${streamId}"`
      return { code: 'response_in_progress', params: { stream: named } }
    }
    const unfit = this.#unfit()
    if (unfit !== undefined) return unfit
    const before = frame.previous === undefined ? undefined : this.#memory.take(frame.previous)
    const { root, pieces } = recalled(before)
    const chunks = frame.body(root, pieces)
    const size = sizeOf(chunks)
    const { previous } = frame
    const since = typeof before === 'object' && previous !== undefined ? frame.body(previous, []) : []
    const { bodyLimit } = this.#upgrade.requests
    const refusal: Refusal | undefined =
      size > bodyLimit
        ? { code: 'body_too_large', params: { limit: bodyLimit } }
        : claim.hold(size + (items?.length ?? 0) + sizeOf(since))
    if (refusal !== undefined) {
      this.#memory.letGo(before)
      return refusal
    }
    const reply = new FrameReply(this.#handshake.reply.req, client, streamId)
    const answer = this.#upgrade.requests.claimAnswer(this.#owner)
    const whole = Buffer.concat(chunks, size)
    const connection: Connection = {
      id: this.#handshake.id,
      stream,
      since:
        previous === undefined || since.length === 0
          ? undefined
          : { previous, whole, body: () => Buffer.concat(since) },
      succeed: () => void (running.hasAnswered = true),
      remember: ({ id, output }) => {
        const made = output.map(({ bytes }) => bytes)
        this.#memory.remember(id, before, items, made)
      },
    }
    const exchange = this.#exchange(reply, connection, whole, { body: claim, answer })
    const running: Running = { exchange, claim, answer, before, previous, hasAnswered: false }
    this.#running.set(stream, running)
    this.#answer(exchange, frame.isWarmUp)
      .catch((error: unknown) => {
        this.#deps.log.error({ error, requestId: exchange.id }, 'a request on a websocket failed unexpectedly')
        refuse(exchange, { refusal: { code: 'internal' } })
        if (!reply.writableEnded) client.terminate()
      })
      .finally(() => this.#ended(stream, running))
    return undefined
  }

  #unfit(): Refusal | undefined {
    const upgrade = this.#upgrade
    if (this.#isStopping || upgrade.isUnwelcome) return { code: 'shutting_down', retryAfter: 1 }
    if (this.#isOld()) return { code: 'websocket_connection_limit_reached', params: { minutes: CONNECTION_MINUTES } }
    if (this.#running.size < STREAMS) return upgrade.requests.refusal()
    const limit = `${STREAMS} concurrent responses on one connection`
    return { code: 'rate_limited', params: { limit, seconds: 1 }, retryAfter: 1 }
  }

  /** Handles an independent request, in the memory that was claimed for it. */
  #exchange(
    reply: FrameReply,
    connection: Connection,
    body: Buffer,
    memory: { readonly body: MemoryClaim; readonly answer: MemoryClaim },
  ): Exchange<FrameReply> {
    const { method, path, client } = this.#handshake
    const head: ExchangeHead = {
      id: this.#deps.newId(),
      received: this.#deps.now(),
      method,
      path,
      query: '',
      headers: this.#headers,
      client,
      connection,
      upgrade: undefined,
      replyHeaders: [],
    }
    const { bodyLimit } = this.#upgrade.requests
    const means = {
      bodyLimit,
      claimBody: () => memory.body,
      claimAnswer: () => memory.answer,
      read: () => Promise.resolve({ body }),
    }
    return new Exchange(head, reply, means, memory)
  }

  #ended(stream: string, { exchange, claim, answer, before, previous, hasAnswered }: Running): void {
    exchange.end()
    claim.release()
    if (this.#client?.isFull === true) this.#unread.push(answer)
    else answer.release()
    this.#memory.letGo(before)
    // As at OpenAI, a client whose turn failed does not continue from a state that it may not share.
    if (previous !== undefined && !hasAnswered) this.#memory.evict(previous)
    this.#running.delete(stream)
    exchange.reply.leave()
    this.#closeIfDue()
    this.#finishIfOver()
  }

  /** The client has left: running responses end and are charged as for any client that leaves. */
  #left(): void {
    this.#arriving.release()
    this.#forgetUnread()
    this.#memory.clear()
    this.#upstreams?.leave()
    for (const { exchange } of this.#running.values()) {
      exchange.reply.leave()
      exchange.abort()
    }
    this.#finishIfOver()
  }

  #forgetUnread(): void {
    for (const answer of this.#unread) answer.release()
    this.#unread = []
  }

  #stop(): void {
    this.#isStopping = true
    for (const { exchange } of this.#running.values()) exchange.abort(this.#handshake.signal.reason)
    this.#closeIfDue()
  }

  /** Closes only between two responses. */
  #closeIfDue(): void {
    const client = this.#client
    if (client === undefined || this.#running.size > 0) return
    if (this.#isStopping || this.#upgrade.isUnwelcome) client.close(CLOSE.leaving, 'shutting_down')
    else if (this.#isOld()) client.close(CLOSE.done, 'websocket_connection_limit_reached')
  }

  #isOld(): boolean {
    return this.#deps.pulse.now() - this.#begun > CONNECTION_MINUTES * MINUTE_MS
  }

  #finishIfOver(): void {
    if (this.#client?.isClosed !== true || this.#running.size > 0) return
    this.#leavePulse()
    this.#finish()
  }

  #tell(refusal: Refusal, streamId: string | undefined): void {
    const { id } = this.#handshake
    this.#deps.recordRefusal(this.#handshake, refusal)
    const error = wireOfRefusal(refusal)
    const message = `${error.message} (request id: ${id})`
    const retryAfter = refusal.retryAfter === undefined ? undefined : String(refusal.retryAfter)
    const frame = encodeErrorFrame({ ...error, message }, ERRORS[refusal.code].status, retryAfter)
    this.#client?.send(streamId === undefined ? frame : onStream(frame, streamId))
  }
}

const MINUTE_MS = 60_000

const sizeOf = (chunks: readonly Uint8Array[]) => chunks.reduce((sum, { length }) => sum + length, 0)

function mistake(field: string, rule: string): Refusal {
  return { code: 'invalid_body', params: { field, rule }, field }
}
