import type { IncomingHttpHeaders } from 'node:http'
import type { Transform } from 'node:stream'
import type { Dispatcher } from 'undici'
import { codingBegun, codingOf, type ContentCoding, openDecoder } from '../../edge/content-coding.ts'

/** An answer whose bytes do not match its headers. */
export class NotDecodable extends Error {}

/** Answers of these types are text, so if their bytes begin like a compressed file, they are compressed. */
const TEXT = /^$|json|^text\/|event-stream/i
/** First bytes of JSON, events and pages; compressed data almost never begins like this. */
const BEGINS_TEXT = /^(?:\xef\xbb\xbf)?\s*(?:\{[\s"}]|data:|event:|id:|retry:|<[!?a-zA-Z])/

/**
 * Decodes compressed answers between undici and a call's handler. Providers, and networks in front of them, compress answers that
 * were requested uncompressed, and label uncompressed ones as compressed. The first bytes therefore decide if possible, and
 * otherwise the header. The handler's limits count decoded bytes, and pausing the handler also pauses the provider.
 */
export class DecodedAnswer implements Dispatcher.DispatchHandler, Dispatcher.DispatchController {
  rawHeaders: Exclude<Dispatcher.DispatchController['rawHeaders'], undefined> = null
  readonly #handler: Dispatcher.DispatchHandler
  #controller: Dispatcher.DispatchController | undefined
  #label: ContentCoding | 'none' | undefined = 'none'
  #isText = false
  /** The answer is an error in an unsupported encoding. */
  #isNoise = false
  #hasBegun = false
  #decoder: Transform | undefined
  #isFull = false
  #isHeld = false
  #isOver = false

  constructor(handler: Dispatcher.DispatchHandler) {
    this.#handler = handler
  }

  get aborted(): boolean {
    return this.#controller?.aborted ?? false
  }

  get paused(): boolean {
    return this.#isHeld
  }

  get reason(): Error | null {
    return this.#controller?.reason ?? null
  }

  pause(): void {
    this.#isHeld = true
    this.#decoder?.pause()
    this.#controller?.pause()
  }

  resume(): void {
    this.#isHeld = false
    this.#decoder?.resume()
    if (!this.#isFull) this.#controller?.resume()
  }

  abort(reason: Error): void {
    this.#isOver = true
    this.#decoder?.destroy()
    this.#controller?.abort(reason)
  }

  onRequestStart(controller: Dispatcher.DispatchController, context: object): void {
    this.#controller = controller
    this.#handler.onRequestStart?.(this, context)
  }

  onResponseStart(
    controller: Dispatcher.DispatchController,
    status: number,
    headers: IncomingHttpHeaders,
    message?: string,
  ): void {
    // undici would keep its own copy of the head, a buffer for each name and value, as long as the stream lasts.
    controller.rawHeaders = null
    if (status >= 200) {
      this.#label = codingOf(headers['content-encoding'])
      this.#isText = TEXT.test(headers['content-type'] ?? '')
      this.#isNoise = this.#label === undefined && status >= 300
    }
    const { 'content-encoding': label, ...decoded } = headers
    this.#handler.onResponseStart?.(
      this,
      status,
      this.#label === undefined ? { ...decoded, 'content-encoding': label } : decoded,
      message,
    )
  }

  onResponseData(_: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#isOver || this.#isNoise) return
    if (!this.#hasBegun) this.#begin(chunk)
    const decoder = this.#decoder
    if (decoder === undefined) this.#handler.onResponseData?.(this, chunk)
    else if (!decoder.write(chunk)) {
      this.#isFull = true
      this.#controller?.pause()
    }
  }

  onResponseEnd(_: Dispatcher.DispatchController, trailers: IncomingHttpHeaders): void {
    this.#finish(() => this.#handler.onResponseEnd?.(this, trailers))
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    this.#finish(() => this.#handler.onResponseError?.(this, error))
  }

  #finish(tell: () => void): void {
    const decoder = this.#decoder
    if (decoder === undefined || this.#isOver) return tell()
    decoder.once('end', tell).end()
  }

  #begin(chunk: Buffer): void {
    this.#hasBegun = true
    const coding = codingIn(chunk, this.#label, this.#isText)
    if (coding === 'none') return
    const decoder = openDecoder(coding, chunk, true)
    this.#decoder = decoder
    if (this.#isHeld) decoder.pause()
    decoder
      .on('data', (piece: Buffer) => {
        if (!this.#isOver) this.#handler.onResponseData?.(this, piece)
      })
      .on('drain', () => {
        this.#isFull = false
        if (!this.#isHeld) this.#controller?.resume()
      })
      .on('error', () => {
        if (this.#isOver) return
        this.#isOver = true
        const error = new NotDecodable(`it is not encoded with ${coding}, as its headers claim`)
        this.#handler.onResponseError?.(this, error)
        this.#controller?.abort(error)
      })
  }
}

function codingIn(first: Buffer, label: ContentCoding | 'none' | undefined, isText: boolean): ContentCoding | 'none' {
  const begun = codingBegun(first)
  if (label === 'none' || label === undefined) return (isText && begun) || 'none'
  if (begun !== undefined) return begun
  // Both formats can be recognised by their first byte.
  if (label === 'gzip' || label === 'zstd') return 'none'
  return BEGINS_TEXT.test(first.toString('latin1', 0, 64)) ? 'none' : label
}
