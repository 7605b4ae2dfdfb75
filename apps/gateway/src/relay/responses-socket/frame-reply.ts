import { EventEmitter } from 'node:events'
import { asObject, parseJson } from '@sluice/dialects/json-value'
import { encodeErrorFrame, framesOf, onStream } from '@sluice/dialects/openai-responses/frames/event-frames'
import type { Reply } from '../../edge/exchange.ts'
import type { FrameSocket } from '../../outbound/frame-socket.ts'

/** The reply to one request on a websocket: a stream of events is sent as frames, an error body as an error frame. */
export class FrameReply extends EventEmitter<{ close: []; drain: [] }> implements Reply {
  readonly req: Reply['req']
  readonly socket = null
  readonly chunkedEncoding = false
  /** The socket counts unread frames, for all of its requests. */
  readonly writableLength = 0
  statusCode = 200
  headersSent = false
  writableEnded = false
  destroyed = false

  readonly #client: FrameSocket
  readonly #streamId: string | undefined
  #retryAfter: string | undefined

  /** `req` is the request that became the websocket. */
  constructor(req: Reply['req'], client: FrameSocket, streamId: string | undefined) {
    super()
    this.req = req
    this.#client = client
    this.#streamId = streamId
  }

  writeHead(status: number, headers: string[]): this {
    this.statusCode = status
    this.headersSent = true
    const at = headers.indexOf('Retry-After')
    this.#retryAfter = at < 0 ? undefined : headers[at + 1]
    return this
  }

  flushHeaders(): void {}

  write(bytes: Uint8Array): boolean {
    if (this.destroyed || this.writableEnded) return true
    let isTaken = true
    for (const frame of this.#framesOf(bytes)) isTaken = this.#send(frame)
    return isTaken
  }

  end(bytes?: Uint8Array): void {
    if (bytes !== undefined) this.write(bytes)
    this.writableEnded = true
    // As with an HTTP reply, listeners run only after the caller's own code.
    process.nextTick(() => this.leave())
  }

  /** The socket monitors unread bytes. */
  setTimeout(): void {}

  destroy(): void {
    this.#client.terminate()
  }

  /** Nothing can reach the client any more: the reply has ended or the client has left. */
  leave(): void {
    if (this.destroyed) return
    this.destroyed = true
    this.emit('close')
  }

  #framesOf(bytes: Uint8Array): readonly Uint8Array[] {
    return this.statusCode === OK ? framesOf(bytes) : [this.#errorFrame(bytes)]
  }

  #errorFrame(body: Uint8Array): Uint8Array {
    const error = asObject(asObject(parseJson(new TextDecoder().decode(body)))?.['error']) ?? {}
    const { message, type, code, param } = error
    return encodeErrorFrame(
      {
        message: typeof message === 'string' ? message : '',
        type: typeof type === 'string' ? type : '',
        code: typeof code === 'string' ? code : null,
        param: typeof param === 'string' ? param : null,
      },
      this.statusCode,
      this.#retryAfter,
    )
  }

  #send(frame: Uint8Array): boolean {
    return this.#client.send(this.#streamId === undefined ? frame : onStream(frame, this.#streamId))
  }
}

const OK = 200
