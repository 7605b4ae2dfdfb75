import type { ServerResponse } from 'node:http'
import type { Loss } from '@sluice/dialects/canon/losses'
import type { ClientVoice } from '@sluice/dialects/client-voice'
import type { WireError } from '@sluice/dialects/openai-chat/errors'
import { type ChunkWriter, openChunkWriter } from './chunk-writer.ts'
import { lossHeader } from './loss-header.ts'
import type { Beating } from './pulse.ts'

const HEAD: readonly string[] = [
  'Cache-Control',
  'no-cache',
  // Proxies that would collect the stream are asked not to.
  'X-Accel-Buffering',
  'no',
]

/**
 * The client's side of a streamed answer. It is opened with the request, so that a long silence of the provider is bridged
 * even before its first byte; a comment commits us to status 200, but delivers nothing of an answer.
 */
export class ClientStream implements Beating {
  /** Unix milliseconds of the first byte of the answer; 0 before. */
  firstByte = 0
  /** The client has not taken what was sent; writing more would only pile up. */
  isFull = false
  /** What the provider did not see as the client said it; told with the head, unless a long silence sent that before. */
  lost: readonly Loss[] = []
  /** Called when a client that was behind has caught up. */
  onDrain: (() => void) | undefined

  private readonly reply: ServerResponse
  private readonly voice: ClientVoice
  private readonly headers: readonly string[]
  private readonly times: StreamTimes
  /** The client may see something: the hold is durable. */
  private readonly mayBegin: () => boolean
  private writer: ChunkWriter | undefined
  private hasWritten = false
  private lastWrite: number
  private fullSince = 0

  constructor(
    reply: ServerResponse,
    voice: ClientVoice,
    headers: readonly string[],
    times: StreamTimes,
    mayBegin: () => boolean,
    /** As beats will say it. */
    now: number,
  ) {
    this.reply = reply
    this.voice = voice
    this.headers = headers
    this.times = times
    this.mayBegin = mayBegin
    this.lastWrite = now
  }

  /** Sends whole events. False when the client is behind: wait for `onDrain`. */
  write(pieces: readonly Uint8Array[]): boolean {
    const writer = this.writer ?? this.begin()
    this.hasWritten = true
    let isTaken = true
    for (const piece of pieces) isTaken = writer.write(piece)
    if (!isTaken) this.isFull = true
    return isTaken
  }

  /** Ends the stream properly. */
  end(terminal: Uint8Array): void {
    const writer = this.writer ?? this.begin()
    writer.close()
    this.reply.end(terminal)
  }

  /** Ends the stream with an error event, never with silence. */
  fail(error: WireError, status: number, requestId: string): void {
    this.end(this.voice.encodeStreamError(error, status, requestId))
  }

  beat(now: number): void {
    const { reply, times } = this
    if (reply.destroyed) return
    if (this.hasWritten) {
      this.hasWritten = false
      this.lastWrite = now
    }
    if (this.isFull) this.checkStall(now)
    // An ended reply stays here while its bytes wait: for an answer before it on the same connection, or for a client that does not
    // read. A ping then would be a write after the end, which ends the process, or bytes between this answer and the next.
    else if (reply.writableEnded) return
    else if (this.voice.ping.length > 0 && now - this.lastWrite >= times.keepAliveMs && this.mayBegin()) {
      const writer = this.writer ?? this.begin()
      writer.write(this.voice.ping)
      this.lastWrite = now
    }
  }

  /** A client that leaves its bytes unread for too long counts as gone. */
  private checkStall(now: number): void {
    if (this.fullSince === 0) this.fullSince = now
    else if (now - this.fullSince >= this.times.clientStallMs) this.reply.destroy()
  }

  private begin(): ChunkWriter {
    this.reply.writeHead(200, [
      ...this.headers,
      ...lossHeader(this.lost),
      'Content-Type',
      this.voice.streamType,
      ...HEAD,
    ])
    this.writer = openChunkWriter(this.reply, () => this.drained())
    return this.writer
  }

  private drained(): void {
    this.isFull = false
    this.fullSince = 0
    this.onDrain?.()
  }
}

export interface StreamTimes {
  /** Silence after which a comment is sent. */
  readonly keepAliveMs: number
  /** How long sent bytes may stay unread. */
  readonly clientStallMs: number
  /** How long an answer is read on after its client has left. */
  readonly readOnMs: number
}
