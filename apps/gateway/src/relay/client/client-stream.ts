import type { Loss } from '@sluice/dialects/canon/losses'
import type { WireError } from '@sluice/dialects/canon/upstream-error'
import type { ClientFormat } from '@sluice/dialects/client-format'
import type { Reply } from '../../edge/exchange.ts'
import type { StreamedReply } from '../stages/answered.ts'
import { type ChunkWriter, openChunkWriter } from './chunk-writer.ts'
import { lossHeader } from './loss-header.ts'
import type { Beating } from './pulse.ts'

const HEAD: readonly string[] = [
  'Cache-Control',
  'no-cache',
  // Asks proxies not to buffer the stream.
  'X-Accel-Buffering',
  'no',
]

/**
 * The client's side of a streamed answer. It is opened with the request, so that it can bridge a long silence even before the
 * provider's first byte; a comment commits the reply to status 200, but delivers no part of an answer.
 */
export class ClientStream implements Beating, StreamedReply {
  firstByte = 0
  isFull = false
  /** Parts of the request that the provider did not receive unchanged; in the head, unless that was sent early. */
  lost: readonly Loss[] = []
  onDrain: (() => void) | undefined

  readonly #reply: Reply
  readonly #format: ClientFormat
  readonly #headers: readonly string[]
  readonly #times: StreamTimes
  /** Whether the client can be sent anything yet: only once the hold is durable. */
  readonly #mayBegin: () => boolean
  #writer: ChunkWriter | undefined
  #hasWritten = false
  #lastWrite: number
  #fullSince = 0

  constructor(
    reply: Reply,
    format: ClientFormat,
    headers: readonly string[],
    times: StreamTimes,
    mayBegin: () => boolean,
    /** On the clock of the beats. */
    now: number,
  ) {
    this.#reply = reply
    this.#format = format
    this.#headers = headers
    this.#times = times
    this.#mayBegin = mayBegin
    this.#lastWrite = now
  }

  write(pieces: readonly Uint8Array[]): boolean {
    const writer = this.#writer ?? this.#begin()
    this.#hasWritten = true
    let isTaken = true
    for (const piece of pieces) isTaken = writer.write(piece)
    if (!isTaken) this.isFull = true
    return isTaken
  }

  end(terminal: Uint8Array): void {
    const writer = this.#writer ?? this.#begin()
    writer.close()
    this.#reply.end(terminal)
  }

  fail(error: WireError, status: number, requestId: string): void {
    this.end(this.#format.encodeStreamError(error, status, requestId))
  }

  beat(now: number): void {
    const reply = this.#reply
    const times = this.#times
    if (reply.destroyed) return
    if (this.#hasWritten) {
      this.#hasWritten = false
      this.#lastWrite = now
    }
    if (this.isFull) this.#checkStall(now)
    // An ended reply stays here while its bytes wait for an earlier answer on the same connection, or for a client that does not
    // read. A ping would then be a write after the end, which ends the process, or would come between this answer and the next.
    else if (reply.writableEnded) return
    else if (this.#format.ping.length > 0 && now - this.#lastWrite >= times.keepAliveMs && this.#mayBegin()) {
      const writer = this.#writer ?? this.#begin()
      writer.write(this.#format.ping)
      this.#lastWrite = now
    }
  }

  /** A client that does not read its bytes for too long counts as gone. */
  #checkStall(now: number): void {
    if (this.#fullSince === 0) this.#fullSince = now
    else if (now - this.#fullSince >= this.#times.clientStallMs) this.#reply.destroy()
  }

  #begin(): ChunkWriter {
    this.#reply.writeHead(200, [
      ...this.#headers,
      ...lossHeader(this.lost),
      'Content-Type',
      this.#format.streamType,
      ...HEAD,
    ])
    this.#writer = openChunkWriter(this.#reply, () => this.#drained())
    return this.#writer
  }

  #drained(): void {
    this.isFull = false
    this.#fullSince = 0
    this.onDrain?.()
  }
}

export interface StreamTimes {
  /** Silence after which a comment is sent. */
  readonly keepAliveMs: number
  /** How long sent bytes can stay unread. */
  readonly clientStallMs: number
  /** How long reading continues after the client has left. */
  readonly readOnMs: number
}
