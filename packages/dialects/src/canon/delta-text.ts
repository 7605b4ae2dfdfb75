import { copyDeltaStrings, TextBuffer } from './delta-strings.ts'

/**
 * Collects the text of a stream, to be counted if the upstream reports no usage. Copies only the text: keeping whole events would
 * take as long and ten times the memory. Keeps up to 256 KiB per stream; text beyond that is only measured.
 */
export interface DeltaText {
  /** Adds whole events, as returned by the stream's `push`. Keeps copies, not references. */
  add(events: Uint8Array): void
  /** Bytes of text so far, in JSON's escaped form. */
  measure(): number
  /** Call only once. */
  finish(): DeliveredText
}

export interface DeliveredText {
  /** Content, reasoning, refusal and tool arguments, in order of arrival. */
  readonly text: string
  /** Bytes of text that did not fit; estimate them by bytes per token. */
  readonly beyondBytes: number
}

const TEXT_LIMIT = 256 * 1024

/** Copies what a model wrote out of `bytes[0, end)`, whole events of one dialect. */
export type CopyText = (bytes: Uint8Array, end: number, out: TextBuffer) => void

export function openDeltaText(copy: CopyText = copyChunks): DeltaText {
  return new CollectedDeltas(copy)
}

const copyChunks: CopyText = (bytes, end, out) => copyDeltaStrings(bytes, end, out, { oneLinePerChunk: true })

/** The text of a whole reply, for counting. */
export function textOfReply(body: Uint8Array): DeliveredText {
  const text = new TextBuffer(TEXT_LIMIT)
  copyDeltaStrings(body, body.length, text, { oneLinePerChunk: false })
  return { text: text.decode(), beyondBytes: text.beyond }
}

class CollectedDeltas implements DeltaText {
  readonly #text = new TextBuffer(TEXT_LIMIT)
  readonly #copy: CopyText

  constructor(copy: CopyText) {
    this.#copy = copy
  }

  add(events: Uint8Array): void {
    this.#copy(events, events.length, this.#text)
  }

  measure(): number {
    return this.#text.size
  }

  finish(): DeliveredText {
    return { text: this.#text.decode(), beyondBytes: this.#text.beyond }
  }
}
