/**
 * Collects what a stream delivered, so that it can be counted when the upstream reports no usage. Bytes are kept raw
 * and only compacted to text when the buffer fills, so an ordinary short stream is never looked at.
 * Memory per stream: at most 16 KiB raw and 256 KiB text; text beyond is only measured.
 */
export interface DeltaText {
  /** Takes a piece that was sent to the client: whole events, as `push` of the stream gave it. Copies what it keeps. */
  add(events: Uint8Array): void
  /** Reads the collection; call once. */
  finish(): DeliveredText
}

export interface DeliveredText {
  /** Content, reasoning, refusal and tool arguments, in order of arrival. */
  readonly text: string
  /** Bytes of text that did not fit; estimate them by bytes per token. */
  readonly beyondBytes: number
}

export declare function openDeltaText(): DeltaText
