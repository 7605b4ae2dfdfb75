import { copyDeltaStrings, TextBuffer } from './delta-strings.ts'

/**
 * Collects what a stream delivered, so that it can be counted when the upstream reports no usage. Bytes are kept raw
 * and only compacted to text when the buffer fills, so an ordinary short stream is never looked at.
 * Memory per stream: at most 16 KiB raw and 256 KiB text; text beyond is only measured.
 */
export interface DeltaText {
  /** Takes a piece that was sent to the client: whole events, as `push` of the stream gave it. Copies what it keeps. */
  add(events: Uint8Array): void
  /**
   * Bytes of text so far, as they are escaped in JSON. Looks at everything that was added since the last look: for now
   * and then, not for every piece.
   */
  measure(): number
  /** Reads the collection; call once. */
  finish(): DeliveredText
}

export interface DeliveredText {
  /** Content, reasoning, refusal and tool arguments, in order of arrival. */
  readonly text: string
  /** Bytes of text that did not fit; estimate them by bytes per token. */
  readonly beyondBytes: number
}

const RAW_FIRST = 2 * 1024
const RAW_LIMIT = 16 * 1024
const TEXT_LIMIT = 256 * 1024

/** Copies what a model wrote out of `bytes[0, end)`: whole events of one dialect. */
export type CopyText = (bytes: Uint8Array, end: number, out: TextBuffer) => void

export function openDeltaText(copy: CopyText = copyChunks): DeltaText {
  return new CollectedDeltas(copy)
}

const copyChunks: CopyText = (bytes, end, out) => copyDeltaStrings(bytes, end, out, { oneLinePerChunk: true })

/** The text of a whole plain reply, for the same purpose. */
export function textOfReply(body: Uint8Array): DeliveredText {
  const text = new TextBuffer(TEXT_LIMIT)
  copyDeltaStrings(body, body.length, text, { oneLinePerChunk: false })
  return { text: text.decode(), beyondBytes: text.beyond }
}

class CollectedDeltas implements DeltaText {
  private raw = new Uint8Array(RAW_FIRST)
  private rawLength = 0
  private readonly text = new TextBuffer(TEXT_LIMIT)
  private readonly copy: CopyText

  constructor(copy: CopyText) {
    this.copy = copy
  }

  add(events: Uint8Array): void {
    if (this.rawLength + events.length > RAW_LIMIT) this.compact()
    if (events.length > RAW_LIMIT) {
      this.copy(events, events.length, this.text)
      return
    }
    const length = this.rawLength + events.length
    if (length > this.raw.length) {
      const larger = new Uint8Array(Math.min(RAW_LIMIT, Math.max(length, this.raw.length * 2)))
      larger.set(this.raw.subarray(0, this.rawLength))
      this.raw = larger
    }
    this.raw.set(events, this.rawLength)
    this.rawLength = length
  }

  measure(): number {
    this.compact()
    return this.text.size
  }

  finish(): DeliveredText {
    this.compact()
    return { text: this.text.decode(), beyondBytes: this.text.beyond }
  }

  private compact(): void {
    this.copy(this.raw, this.rawLength, this.text)
    this.rawLength = 0
  }
}
