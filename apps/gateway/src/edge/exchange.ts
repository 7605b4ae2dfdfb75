import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Refusal } from '@sluice/contract/errors'
import type { Detached } from './detach.ts'
import type { BodyResult } from './read-body.ts'
import type { MemoryClaim, Upgrade } from './upgrade.ts'

/** The part of a reply that the stages use: a `node:http` reply, or frames for one of many requests on a websocket. */
export interface Reply {
  readonly req: Pick<IncomingMessage, 'complete' | 'on' | 'resume'>
  /** Null where nothing may write directly to the socket. */
  readonly socket: Socket | null
  readonly chunkedEncoding: boolean
  readonly statusCode: number
  readonly headersSent: boolean
  readonly writableEnded: boolean
  /** Bytes that the client has not read yet. */
  readonly writableLength: number
  readonly destroyed: boolean
  /** `headers` is a flat list of names and values. */
  writeHead(status: number, headers: string[]): this
  flushHeaders(): void
  /** False when the client is behind: wait for `drain`. */
  write(bytes: Uint8Array): boolean
  end(bytes?: Uint8Array): unknown
  setTimeout(ms: number, task: () => void): unknown
  destroy(): unknown
  on(event: 'close' | 'drain', task: () => void): unknown
  once(event: 'close' | 'drain', task: () => void): unknown
  off(event: 'close' | 'drain', task: () => void): unknown
}

/** A request that contains only the items added since an earlier response. */
export interface RequestSince {
  /** The id of the response that it continues. */
  readonly previous: string
  /** The complete body, with everything before, as it was read. */
  readonly whole: Buffer
  /** The body with only the new items and a reference to the response. */
  body(): Buffer
}

export interface Connection {
  /** Id of the connection. Its requests belong to one conversation unless they say otherwise. */
  readonly id: string
  /** Name of the stream that carried the request; empty for the unnamed stream. */
  readonly stream: string
  /** The same request as a continuation of a response on this connection; undefined if it continues none. */
  readonly since: RequestSince | undefined
  succeed(): void
  /** Keeps an answer that its provider does not store, so that a later request on this connection can refer to it. */
  remember(answer: { readonly id: string; readonly output: readonly { readonly bytes: Uint8Array }[] }): void
}

/** One request, as the relay receives it: stage 1 of twelve. */
export interface Accepted {
  /** UUIDv7 as 32 hex characters; also in the reply's `X-Request-Id`, the log row and the ledger. */
  readonly id: string
  /** Unix milliseconds at which the whole head had arrived. */
  readonly received: number
  readonly method: string
  /** Canonical path without query (`/v1/chat/completions`). */
  readonly path: string
  readonly query: string
  readonly headers: IncomingHttpHeaders
  /** Address of the caller, taken only from the socket or trusted proxies. */
  readonly client: string
  /** Aborts when the client leaves, when a stopping gateway gives up waiting, or on `interrupt`. */
  readonly signal: AbortSignal
  readonly reply: Reply
  /** Absent for a request that does not share its connection. */
  readonly connection?: Connection
  /** Undefined unless the request wants to become a websocket. */
  readonly upgrade: Upgrade | undefined
  /** Flat list for every reply: request ids, CORS where needed, and the caller's limits, added before the head is sent. */
  readonly replyHeaders: string[]
  /** Reads the body; call at most once. Its memory counts against `owner` (class S43) until the reply is closed. */
  readBody(owner: { readonly userId: number }): Promise<BodyResult>
  /** Reserves `bytes` for another body made from the one that was read. Released in the same way. */
  claimBody(bytes: number): Refusal | undefined
  /**
   * Reserves `bytes` in total for a provider's answer, until the client has read its last. Unlike a refused body, a refused answer
   * may already have cost something.
   */
  holdAnswer(owner: { readonly userId: number }, bytes: number): Refusal | undefined
  /** Continues the same request without its client, who is answered now; call at most once, after the body was read. */
  detach(): Detached
  /** Ends the request as a stopping gateway does: aborts `signal` with this reason and calls the tasks passed to `atStop`. */
  interrupt(reason: Error): void
  /** Calls `task` when the request has ended in any way, to release its resources. `task` must not throw. */
  atEnd(task: () => void): void
  /** Calls `task` when a stopping gateway gives up waiting, even for a request whose client has left. `task` must not throw. */
  atStop(task: () => void): void
}

export interface AcceptedOnSocket extends Accepted {
  readonly reply: ServerResponse
}

export type ExchangeHead = Pick<
  Accepted,
  'id' | 'received' | 'method' | 'path' | 'query' | 'headers' | 'client' | 'connection' | 'upgrade' | 'replyHeaders'
>

interface Owner {
  readonly userId: number
}

export interface ExchangeMemory {
  body: MemoryClaim | undefined
  answer: MemoryClaim | undefined
}

/** The parts in which an HTTP request, a request on a websocket and a detached request differ. */
export interface ExchangeMeans {
  readonly bodyLimit: number
  claimBody(owner: Owner): MemoryClaim
  claimAnswer(owner: Owner): MemoryClaim
  read(claim: MemoryClaim): Promise<BodyResult>
  /** The detached request takes over `memory`, the memory of the body. Absent where a request cannot be detached. */
  detach?(exchange: Accepted, memory: ExchangeMemory): Detached
}

/**
 * A request from its head to its end. It is open until `end`; meanwhile its client can leave (`abort`), it can be stopped
 * (`interrupt`), or it can continue as another exchange without its client (`detach`).
 */
export class Exchange<OwnReply extends Reply = Reply> implements Accepted {
  readonly id: string
  readonly received: number
  readonly method: string
  readonly path: string
  readonly query: string
  readonly headers: IncomingHttpHeaders
  readonly client: string
  readonly connection?: Connection
  readonly upgrade: Upgrade | undefined
  readonly replyHeaders: string[]
  readonly reply: OwnReply
  readonly #means: ExchangeMeans
  readonly #memory: ExchangeMemory
  readonly #abort = new AbortController()
  readonly #endings: (() => void)[] = []
  #stop: (() => void) | undefined

  constructor(head: ExchangeHead, reply: OwnReply, means: ExchangeMeans, memory: Partial<ExchangeMemory> = {}) {
    this.id = head.id
    this.received = head.received
    this.method = head.method
    this.path = head.path
    this.query = head.query
    this.headers = head.headers
    this.client = head.client
    if (head.connection !== undefined) this.connection = head.connection
    this.upgrade = head.upgrade
    this.replyHeaders = head.replyHeaders
    this.reply = reply
    this.#means = means
    this.#memory = { body: memory.body, answer: memory.answer }
  }

  get signal(): AbortSignal {
    return this.#abort.signal
  }

  readBody(owner: Owner): Promise<BodyResult> {
    return this.#means.read((this.#memory.body ??= this.#means.claimBody(owner)))
  }

  claimBody(bytes: number): Refusal | undefined {
    const { bodyLimit: limit } = this.#means
    return bytes > limit ? { code: 'body_too_large', params: { limit } } : this.#memory.body?.holdMore(bytes)
  }

  holdAnswer(owner: Owner, bytes: number): Refusal | undefined {
    // After the client has left, reading continues only for a moment.
    if (this.reply.destroyed) return undefined
    return (this.#memory.answer ??= this.#means.claimAnswer(owner)).hold(bytes)
  }

  detach(): Detached {
    const { body } = this.#memory
    if (this.#means.detach === undefined) throw new Error('a request that cannot be detached')
    this.#memory.body = undefined
    return this.#means.detach(this, { body, answer: undefined })
  }

  atEnd(task: () => void): void {
    this.#endings.push(task)
  }

  atStop(task: () => void): void {
    this.#stop = task
  }

  /** The client has left, or `reason` says why nobody waits any more. */
  abort(reason?: unknown): void {
    this.#abort.abort(reason)
  }

  interrupt(reason: Error): void {
    this.abort(reason)
    this.#stop?.()
  }

  release(): void {
    this.#memory.body?.release()
    this.#memory.answer?.release()
  }

  end(): void {
    for (const task of this.#endings) task()
  }
}
